-- First and last day on which an address sent a transaction before {window_day}, from rows of sender_last_days. A last day of
-- 1970: never.
argMax((first_day, if(window_day >= toDateTime({window_day:UInt32}, 'UTC'), day_before_window, last_day)), (window_day, last_day)) AS known
