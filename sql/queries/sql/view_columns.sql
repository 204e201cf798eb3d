-- name:    view_columns
-- serves:  listSqlViews
-- params:  views: database of the public views | names: public views
-- returns: columns of each view, in order. Not of the views decoded_events_0x…, which clients create
-- reads:   system.columns
-- budget:  10 s, 64 MiB, 100_000 rows
SELECT `table` AS view_name, name, type
FROM system.columns
WHERE `database` = {views:String} AND `table` IN {names:Array(String)}
ORDER BY `table`, position
