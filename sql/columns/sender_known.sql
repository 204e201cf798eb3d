-- First day and last day of a sender before {window_day}, of its rows in sender_last_days; the last one 1970: none.
-- grain: an aggregate by address; read by returns of senders. Parameter: window_day.
argMax((first_day, if(window_day >= toDateTime({window_day:UInt32}, 'UTC'), day_before_window, last_day)), (window_day, last_day)) AS known
