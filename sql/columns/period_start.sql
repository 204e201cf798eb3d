-- Start of the {period} (week, month or year) that contains @source. Weeks start on Monday.
toDateTime(multiIf({period:String} = 'week', toStartOfWeek(@source, 1), {period:String} = 'month', toStartOfMonth(@source), toStartOfYear(@source)), 'UTC')
