/** The test files share one chain with a closed rollup window. Later tests replace its newest blocks. */
import './long-chain/snapshots.ts';
import './long-chain/explorer.ts';
import './long-chain/service.ts';
import './long-chain/duplicates.ts';
