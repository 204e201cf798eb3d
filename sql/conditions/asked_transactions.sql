-- Optional conditions of queries of statistics about transactions, to be added to others. @source, the argument, is the expression
-- for the method; both tables of transactions have the other columns.
/*?methods:*/ AND @source IN (SELECT unhex(arrayJoin({methods:Array(String)}))) /*?;*/
        /*?types:*/ AND has({types:Array(UInt8)}, type) /*?;*/
        /*?outcome:*/ AND ifNull(status, 1) = {outcome:UInt8} /*?;*/
        /*?least:*/ AND value >= {least:UInt256} /*?;*/
        /*?most:*/ AND value <= {most:UInt256} /*?;*/
