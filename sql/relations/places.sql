-- Positions in the chain, from two arrays of the same length: heights and positions in their blocks. Parameters: blocks, indexes.
-- grain: one position; used by statements that complete rows of another table of the same data.
(SELECT tupleElement(place, 1), tupleElement(place, 2) FROM (SELECT arrayJoin(arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)})) AS place))
