-- Positions of transactions: pairs of the block numbers {blocks} and the indexes {indexes} in these blocks. For statements that
-- find positions in one table and read complete rows from another.
(SELECT tupleElement(place, 1), tupleElement(place, 2) FROM (SELECT arrayJoin(arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)})) AS place))
