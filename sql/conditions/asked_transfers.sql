-- Optional conditions of statistics queries (api/read/query) on token_transfers. Each begins with AND, because it follows
-- another condition.
/*?tokens:*/ AND token IN {{asked_addresses(tokens)}} /*?;*/
        /*?senders:*/ AND from IN {{asked_addresses(senders)}} /*?;*/
        /*?recipients:*/ AND to IN {{asked_addresses(recipients)}} /*?;*/
        /*?standards:*/ AND has({standards:Array(String)}, toString(standard)) /*?;*/
