-- Positions in the chain, from two arrays of the same length: block numbers, and positions in these blocks. Parameters: blocks, indexes.
-- grain: one position; used by statements that found the positions in one table and read the complete rows from another.
(SELECT tupleElement(place, 1), tupleElement(place, 2) FROM (SELECT arrayJoin(arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)})) AS place))
