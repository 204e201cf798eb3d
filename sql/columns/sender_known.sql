-- First and last day of a sender before {window_day}, from its rows in sender_last_days; last day 1970: none.
-- grain: an aggregate by address; used by returns of senders. Parameter: window_day.
argMax((first_day, if(window_day >= toDateTime({window_day:UInt32}, 'UTC'), day_before_window, last_day)), (window_day, last_day)) AS known
