-- Set of the addresses in the parameter that the argument names: 40 hex digits each.
(SELECT toFixedString(unhex(arrayJoin({@source:Array(String)})), 20))
