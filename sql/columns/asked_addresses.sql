-- Set of the addresses (40 hex digits each) in the array parameter @source.
(SELECT toFixedString(unhex(arrayJoin({@source:Array(String)})), 20))
