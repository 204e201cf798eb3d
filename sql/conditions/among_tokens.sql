-- Condition on column token: one of those that a reader names in parameter tokens, 40 hex digits each.
-- grain: no rows; read by statements over the tokens of an account.
token IN (SELECT toFixedString(unhex(arrayJoin({tokens:Array(String)})), 20))
