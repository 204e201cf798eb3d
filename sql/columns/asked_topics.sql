-- Set of the topics (64 hex digits each) in an array parameter. Pass the name of the parameter as @source.
(SELECT toFixedString(unhex(arrayJoin({@source:Array(String)})), 32))
