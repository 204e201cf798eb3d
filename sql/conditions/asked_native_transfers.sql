-- Optional conditions of statistics queries (api/read/query) on native transfers. Each begins with AND, because it follows
-- another condition.
/*?senders:*/ AND sender IN {{asked_addresses(senders)}} /*?;*/
        /*?recipients:*/ AND recipient IN {{asked_addresses(recipients)}} /*?;*/
        /*?kinds:*/ AND has({kinds:Array(String)}, kind) /*?;*/
        /*?least:*/ AND value >= {least:UInt256} /*?;*/
        /*?most:*/ AND value <= {most:UInt256} /*?;*/
