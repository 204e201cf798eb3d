-- Native currency that a transaction moves from its sender to its recipient, wei; 0 if it failed. Needs the columns status and
-- value.
if(ifNull(status, 1) = 1, value, toUInt256(0))
