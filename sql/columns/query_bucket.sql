-- Start of the time bucket that contains the column timestamp: {bucket_seconds} long, or if that is 0, one {period} (week,
-- month or year).
if({bucket_seconds:UInt32} > 0, toDateTime(intDiv(toUInt32(timestamp), greatest({bucket_seconds:UInt32}, 1)) * {bucket_seconds:UInt32}, 'UTC'),
    {{period_start(timestamp)}})
