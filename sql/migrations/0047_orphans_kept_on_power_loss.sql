-- 0047_orphans_kept_on_power_loss
-- why:     a power failure could lose the transactions of removed blocks while the event of the removal survived: the stream and
--          /reorgs then lacked removed transfers for good
-- replay:  safe; a setting of a table, for parts that are written from now on
-- readers: unaffected

ALTER TABLE orphaned_transactions MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1;
