-- Start of the time bucket, {bucket_seconds} long, that contains the column timestamp.
toDateTime(intDiv(toUInt32(timestamp), {bucket_seconds:UInt32}) * {bucket_seconds:UInt32}, 'UTC')
