-- Start of the {period} (day, week, month or year) that the argument, a start of a day, lies in; weeks begin on Monday.
if({period:String} = 'day', @source, {{period_start(@source)}})
