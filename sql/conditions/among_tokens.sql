-- Condition on column token: one of the parameter tokens, 40 hex digits each.
-- grain: a condition; used by statements over the tokens of an account.
token IN (SELECT toFixedString(unhex(arrayJoin({tokens:Array(String)})), 20))
