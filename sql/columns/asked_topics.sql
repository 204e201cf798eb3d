-- Set of the topics in the parameter that the argument names: 64 hex digits each.
(SELECT toFixedString(unhex(arrayJoin({@source:Array(String)})), 32))
