/** Both test files share one chain with a closed rollup window. */
import './long-chain/explorer.ts';
import './long-chain/service.ts';
