-- Optional conditions of statistics queries (api/read/query) on transactions. Pass the expression for the method as @source. The
-- other columns have the same names in the tables transactions and address_roles.
/*?methods:*/ AND @source IN (SELECT unhex(arrayJoin({methods:Array(String)}))) /*?;*/
        /*?types:*/ AND has({types:Array(UInt8)}, type) /*?;*/
        /*?outcome:*/ AND ifNull(status, 1) = {outcome:UInt8} /*?;*/
        /*?least:*/ AND value >= {least:UInt256} /*?;*/
        /*?most:*/ AND value <= {most:UInt256} /*?;*/
