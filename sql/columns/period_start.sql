-- Start of the {period} (week, month or year) that the argument lies in; weeks begin on Monday.
toDateTime(multiIf({period:String} = 'week', toStartOfWeek(@source, 1), {period:String} = 'month', toStartOfMonth(@source), toStartOfYear(@source)), 'UTC')
