-- Optional WHERE conditions for statistics queries (api/read/query) on transfers of native currency. They follow other conditions, so
-- each begins with AND.
/*?senders:*/ AND sender IN {{asked_addresses(senders)}} /*?;*/
        /*?recipients:*/ AND recipient IN {{asked_addresses(recipients)}} /*?;*/
        /*?kinds:*/ AND has({kinds:Array(String)}, kind) /*?;*/
        /*?least:*/ AND value >= {least:UInt256} /*?;*/
        /*?most:*/ AND value <= {most:UInt256} /*?;*/
