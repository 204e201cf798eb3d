-- Result of a statistics query (api/read/query), per time bucket and group. @source stands for a subquery with block_number,
-- timestamp, and the columns named by {amount}, {subject}, {key1} and {key2}.
-- Optional parts: `series` adds time buckets, and a total per group. `grouped` groups by {key1}, `paired` also by {key2}. `top`
-- adds up all keys that are not in {top1} and {top2} (hex digits). `new` uses only the first row of each subject and key, if it
-- is at {first_time} or later. `averaged` ranks groups also by the fraction of the mean. `overflow` adds an approximate sum,
-- which shows whether the exact sum exceeds 2^256; such groups come first.
-- Rows with a null subject count for no subject. Rows with a null key have the empty text as key.
-- Converts keys to text as late as possible: grouping texts takes three times as long as grouping addresses.
-- Sources use FINAL, which compares only rows of overlapping parts: 50 times as fast as LIMIT 1 BY. With
-- do_not_merge_across_partitions_select_final, FINAL does not replace an unfinalized row by its finalized copy, which the
-- snapshot may hide.
SELECT
    toUInt32(0 /*?series:*/ + toUInt32({{query_bucket}}) /*?;*/) AS time,
    /*?series:*/ grouping(time) AS is_total, /*?;*/
    /*?grouped:*/ lower(hex(ifNull(concat(group1, ''), ''))) AS key1_hex, /*?;*/
    /*?paired:*/ lower(hex(ifNull(concat(group2, ''), ''))) AS key2_hex, /*?;*/
    /*?top:*/ is_other, /*?;*/
    count() AS row_count
    /*?sum:*/ , sum(amount) AS total, count(amount) AS amount_count, intDiv(sum(amount), greatest(count(amount), 1)) AS mean /*?;*/
    /*?averaged:*/ , toFloat64(sum(amount) % greatest(count(amount), 1)) / greatest(count(amount), 1) AS mean_rest /*?;*/
    /*?overflow:*/ , sum(toFloat64(amount)) AS rough_total /*?;*/
    /*?extremes:*/ , min(amount) AS lowest, max(amount) AS highest /*?;*/
    /*?ranks:*/ , quantilesExact(0.5, 0.9, 0.99)(amount) AS ranks,
        if(count(amount) = 0, NULL, ranks[1]) AS p50, if(count(amount) = 0, NULL, ranks[2]) AS p90, if(count(amount) = 0, NULL, ranks[3]) AS p99 /*?;*/
    /*?distinct:*/ , uniqExact(subject) AS subject_count /*?;*/
FROM
(
    SELECT timestamp, amount, subject
        /*?top:*/ , ((ifNull(concat(key1, ''), '') /*?paired:*/ , ifNull(concat(key2, ''), '') /*?;*/ ) NOT IN (
            SELECT unhex(tupleElement(pair, 1)) /*?paired:*/ , unhex(tupleElement(pair, 2)) /*?;*/
            FROM (SELECT arrayJoin(arrayZip({top1:Array(String)} /*?paired:*/ , {top2:Array(String)} /*?;*/ )) AS pair))) AS is_other /*?;*/
        /*?grouped:*/ , /*?top:*/ if(is_other, '', concat( /*?;*/ key1 /*?top:*/ , '')) /*?;*/ AS group1 /*?;*/
        /*?paired:*/ , /*?top:*/ if(is_other, '', concat( /*?;*/ key2 /*?top:*/ , '')) /*?;*/ AS group2 /*?;*/
    FROM
    (
        /*?new:*/ SELECT min(timestamp) AS timestamp, any(amount) AS amount, /*?grouped:*/ key1, /*?;*/ /*?paired:*/ key2, /*?;*/ subject FROM ( /*?;*/
        SELECT timestamp, {amount:Identifier} AS amount, {subject:Identifier} AS subject
            /*?grouped:*/ , {key1:Identifier} AS key1 /*?;*/ /*?paired:*/ , {key2:Identifier} AS key2 /*?;*/
        FROM (@source)
        /*?new:*/ ) WHERE subject IS NOT NULL GROUP BY /*?grouped:*/ key1, /*?;*/ /*?paired:*/ key2, /*?;*/ subject /*?;*/
    )
    /*?new:*/ WHERE timestamp >= toDateTime({first_time:UInt32}, 'UTC') /*?;*/
)
GROUP BY /*?grouped:*/ group1, /*?;*/ /*?paired:*/ group2, /*?;*/ /*?top:*/ is_other, /*?;*/ time /*?series:*/ WITH ROLLUP
HAVING 1 /*?grouped:*/ AND grouping(group1) = 0 /*?;*/ /*?paired:*/ AND grouping(group2) = 0 /*?;*/ /*?top:*/ AND grouping(is_other) = 0 /*?;*/ /*?;*/
/*?ranked:*/ ORDER BY /*?overflow:*/ rough_total >= 0.999 * pow(2, 256) DESC, /*?;*/ {rank:Identifier} DESC,
    /*?averaged:*/ mean_rest DESC, /*?;*/ group1 /*?paired:*/ , group2 /*?;*/
LIMIT {limit:UInt32} /*?;*/
