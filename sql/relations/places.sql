-- Places in the chain that a reader names: two arrays of one length, heights and positions in their blocks.
-- grain: one place; read by statements that complete rows of another order of the same data. Parameters: blocks, indexes.
(SELECT tupleElement(place, 1), tupleElement(place, 2) FROM (SELECT arrayJoin(arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)})) AS place))
