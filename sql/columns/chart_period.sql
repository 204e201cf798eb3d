-- Start of the {period} (day, week, month or year) that contains @source, the start of a day. Weeks start on Monday.
if({period:String} = 'day', @source, {{period_start(@source)}})
