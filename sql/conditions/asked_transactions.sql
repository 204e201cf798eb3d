-- Optional conditions of statistics queries (api/read/query) on the tables transactions and address_roles. @source stands for
-- an expression for the method, the only column whose name differs.
/*?methods:*/ AND @source IN (SELECT unhex(arrayJoin({methods:Array(String)}))) /*?;*/
        /*?types:*/ AND has({types:Array(UInt8)}, type) /*?;*/
        /*?outcome:*/ AND ifNull(status, 1) = {outcome:UInt8} /*?;*/
        /*?least:*/ AND value >= {least:UInt256} /*?;*/
        /*?most:*/ AND value <= {most:UInt256} /*?;*/
