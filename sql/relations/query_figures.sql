-- Figures of a query of statistics (api/read/query), per time bucket and key. @source, the argument, is a subquery with the selected
-- rows: block_number, timestamp, and the columns that a query may name by {amount}, {subject}, {key1} and {key2}.
-- A key is the hex digits of both columns, joined by a point. With {top}, all other keys count together as 'other'.
-- `overflow` adds a rough sum, which shows whether the exact one exceeds 2^256.
-- Rows are read with FINAL: unlike LIMIT 1 BY, it only compares rows of parts that overlap, which is 50 times as fast. The setting
-- keeps it from replacing an unfinalized row by the finalized one, which the snapshot may hide.
-- `new` keeps the first row of each subject and key, if it is not before {first_time}.
SELECT
    /*?series:*/ toUInt32({{query_bucket}}) AS time, /*?;*/
    /*?top:*/ if(asked_key NOT IN (SELECT arrayJoin({top:Array(String)})), 'other', /*?;*/ asked_key /*?top:*/ ) /*?;*/ AS key,
    count() AS row_count
    /*?sum:*/ , sum(amount) AS total, count(amount) AS amount_count, intDiv(sum(amount), greatest(count(amount), 1)) AS mean /*?;*/
    /*?overflow:*/ , sum(toFloat64(amount)) AS rough_total /*?;*/
    /*?extremes:*/ , min(amount) AS lowest, max(amount) AS highest /*?;*/
    /*?ranks:*/ , quantilesExact(0.5, 0.9, 0.99)(amount) AS ranks, ranks[1] AS p50, ranks[2] AS p90, ranks[3] AS p99 /*?;*/
    /*?distinct:*/ , uniqExact(subject) AS subject_count /*?;*/
FROM
(
    /*?new:*/ SELECT min(timestamp) AS timestamp, any(amount) AS amount, subject, asked_key FROM ( /*?;*/
    SELECT timestamp, {amount:Identifier} AS amount, {subject:Identifier} AS subject,
        concat(lower(hex({key1:Identifier})), '.', lower(hex({key2:Identifier}))) AS asked_key
    FROM (@source)
    /*?new:*/ ) GROUP BY subject, asked_key /*?;*/
)
/*?new:*/ WHERE timestamp >= toDateTime({first_time:UInt32}, 'UTC') /*?;*/
GROUP BY /*?series:*/ time, /*?;*/ key
/*?ranked:*/ ORDER BY {rank:Identifier} DESC, key LIMIT {limit:UInt32} /*?;*/
