-- Optional conditions of queries of statistics on token_transfers, to be added to others.
/*?tokens:*/ AND token IN {{asked_addresses(tokens)}} /*?;*/
        /*?senders:*/ AND from IN {{asked_addresses(senders)}} /*?;*/
        /*?recipients:*/ AND to IN {{asked_addresses(recipients)}} /*?;*/
        /*?standards:*/ AND has({standards:Array(String)}, toString(standard)) /*?;*/
