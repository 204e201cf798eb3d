-- name:    beat
-- serves:  pipeline
-- params:  beat: number of the heartbeat | role: head (stores new blocks) or helper (stores older blocks) | report: JSON
-- returns: nothing; stores a heartbeat of a pipeline process in workers
-- reads:   nothing
-- budget:  10 s, 64 MiB, 1 row
INSERT INTO workers (worker, beat, host, pid, role, is_stopped, report, seen_at)
SELECT {worker:String}, {beat:UInt64}, {host:String}, {pid:UInt32}, {role:String}, {is_stopped:UInt8}, {report:String}, now64(3)
