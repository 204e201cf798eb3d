-- Set of the topics (64 hex digits each) in the array parameter @source.
(SELECT toFixedString(unhex(arrayJoin({@source:Array(String)})), 32))
