-- Native currency that a transaction moves from its sender to its recipient, wei: a failed transaction moves nothing. Needs the columns
-- status and value.
if(ifNull(status, 1) = 1, value, toUInt256(0))
