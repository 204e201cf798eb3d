-- Start of the time bucket of {bucket_seconds} that contains the column timestamp.
toDateTime(intDiv(toUInt32(timestamp), {bucket_seconds:UInt32}) * {bucket_seconds:UInt32}, 'UTC')
