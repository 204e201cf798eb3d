import { admitEndpoints } from '#chain/rpc/admit-endpoints.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import { assertGenesis, type ConfiguredChain, readGenesisHash } from '#chain/rpc/served-chain.ts';
import type { Log } from '#runtime/log.ts';
import { pause } from '#runtime/shutdown.ts';
import type { Database } from '#sql/client.ts';

interface NodeAdmissionDeps {
  readonly client: RpcClient;
  readonly database: Database;
  readonly log: Log;
}

/** Time between two looks for the identity of the chain, which the pipeline stores at its first start, ms. */
const checkEveryMs = 200;
/** Number of looks before a warning: ten seconds, longer than a healthy first start. */
const warnAfter = 50;

/**
 * Refuses requests to each node until it is known to serve the chain of the index: balances and calls of another chain
 * would be wrong. Ends when all nodes are admitted, or the signal aborts.
 */
export async function admitNodes(deps: NodeAdmissionDeps, chain: ConfiguredChain, signal: AbortSignal): Promise<void> {
  await admitEndpoints({ log: deps.log, signal }, deps.client.endpoints, async (endpoint, ask) => {
    const expected = chain.genesisHash ?? (await readIndexedGenesis(deps, signal));
    assertGenesis(chain, endpoint, await readGenesisHash(chain, endpoint, ask), expected);
  });
}

/** Waits until the pipeline has stored the genesis hash. */
async function readIndexedGenesis({ database, log }: NodeAdmissionDeps, signal: AbortSignal): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    let failure: unknown = 'the pipeline has not stored it';
    // fails while the database does not answer or has no schema yet
    const [stored] = await database.read('chain_identity').catch((error: unknown) => {
      failure = error;
      return [];
    });
    if (stored) return stored.genesis_hash;
    if (attempt === warnAfter)
      log.warn(
        { event: 'genesis_unknown', error: String(failure) },
        'nodes get no requests until the index has a genesis hash',
      );
    await pause(checkEveryMs, signal);
    if (signal.aborted) throw new Error('stopped before the pipeline stored the genesis hash');
  }
}
