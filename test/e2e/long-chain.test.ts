/** The explorer's routes, then the service from node to API, on one chain with a closed rollup window. */
import './long-chain/explorer.ts';
import './long-chain/service.ts';
