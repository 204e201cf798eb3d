-- name:    chart_live_from
-- serves:  getChart, listCounters, pipeline
-- params:  resolution: hour or day | through: end of the buckets with stored figures, Unix seconds
-- returns: one row: first block after the stored time buckets
-- reads:   chart_buckets by primary key
-- budget:  5 s, 256 MiB, 1 row
SELECT toUInt64(if(count() = 0, 0, max(last_block) + 1)) AS live_from
FROM chart_buckets
WHERE resolution = {resolution:String} AND bucket < toDateTime({through:UInt32}, 'UTC')
