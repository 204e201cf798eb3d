-- Rows whose column token is one of {tokens}, 40 hex digits each.
token IN (SELECT toFixedString(unhex(arrayJoin({tokens:Array(String)})), 20))
