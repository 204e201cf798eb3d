/** The explorer's routes, then the whole way of a block, over one chain with a closed era. */
import './long-chain/explorer.ts';
import './long-chain/service.ts';
