-- Start of the {period} (day, week, month or year) that contains the argument, a start of a day; weeks start on Monday.
if({period:String} = 'day', @source, {{period_start(@source)}})
