-- Positions of transactions in the chain, from two arrays of the same length: block numbers {blocks}, and positions {indexes} in
-- these blocks. For statements that find positions in one table and read complete rows from another.
(SELECT tupleElement(place, 1), tupleElement(place, 2) FROM (SELECT arrayJoin(arrayZip({blocks:Array(UInt64)}, {indexes:Array(UInt32)})) AS place))
