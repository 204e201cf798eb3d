-- 0029_withdrawal_expiry
-- why:     signed bytes that never reached the network were kept for ever
-- replay:  safe; the columns are added once
-- rebuild: not derivable: it is what clients sent

ALTER TABLE withdrawals
    ADD COLUMN IF NOT EXISTS may_be_known UInt8 DEFAULT 1 COMMENT '0: never sent to the writer, or refused by it each time, and never seen by it; 1: the network may know it',
    ADD COLUMN IF NOT EXISTS is_signed UInt8 DEFAULT raw != '' COMMENT '1: its signed bytes were registered, and claim the nonce even after they were forgotten'
