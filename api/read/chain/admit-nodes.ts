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
/** Time after which a missing identity is logged, ms: a healthy first start needs less. */
const warnAfterMs = 10_000;

/**
 * Refuses requests to each node until it is known to serve the chain of the index: balances and calls of another chain
 * would be wrong. Ends when all nodes are admitted, or the signal aborts.
 */
export async function admitNodes(deps: NodeAdmissionDeps, chain: ConfiguredChain, signal: AbortSignal): Promise<void> {
  const { client, log } = deps;
  const indexed = readIndexedGenesis(deps, signal);
  await admitEndpoints({ log, signal }, client.endpoints, async (endpoint, ask) => {
    const expected = await indexed;
    if (expected === undefined) throw new Error('stopped before the pipeline stored the genesis hash');
    const hash = await readGenesisHash(chain, endpoint, ask);
    assertGenesis(chain, endpoint, hash, chain.genesisHash);
    assertGenesis(chain, endpoint, hash, expected);
  });
}

/** Waits until the pipeline has stored the genesis hash. @returns undefined if the signal aborts before */
async function readIndexedGenesis(
  { database, log }: NodeAdmissionDeps,
  signal: AbortSignal,
): Promise<string | undefined> {
  const startedAt = performance.now();
  const impatient = database.retryingFor(0);
  for (let isLogged = false; !signal.aborted; ) {
    let failure: unknown = 'the pipeline has not stored it';
    // fails while the database does not answer or has no schema yet
    const [stored] = await impatient.read('chain_identity').catch((error: unknown) => {
      failure = error;
      return [];
    });
    if (stored) return stored.genesis_hash;
    if (!isLogged && performance.now() - startedAt > warnAfterMs) {
      isLogged = true;
      log.warn(
        { event: 'genesis_unknown', error: String(failure) },
        'nodes get no requests until the index has a genesis hash',
      );
    }
    await pause(checkEveryMs, signal);
  }
  return undefined;
}
