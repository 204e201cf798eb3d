-- Selects rows whose column token is one of {tokens}: token contracts, 40 hex digits each.
token IN (SELECT toFixedString(unhex(arrayJoin({tokens:Array(String)})), 20))
