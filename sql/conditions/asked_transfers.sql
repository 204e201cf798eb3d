-- Optional WHERE conditions for statistics queries (api/read/query) on token_transfers. They follow other conditions, so each begins
-- with AND.
/*?tokens:*/ AND token IN {{asked_addresses(tokens)}} /*?;*/
        /*?senders:*/ AND from IN {{asked_addresses(senders)}} /*?;*/
        /*?recipients:*/ AND to IN {{asked_addresses(recipients)}} /*?;*/
        /*?standards:*/ AND has({standards:Array(String)}, toString(standard)) /*?;*/
