import { isHash, zeroHash } from '#chain/codec/hex.ts';
import { NodeError, WrongChainError } from '#chain/errors.ts';
import type { Endpoint } from '#chain/rpc/endpoint.ts';
import { pause } from '#runtime/shutdown.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { RowOf } from '#sql/statement-types.ts';
import type { JobDeps, NodeDeps } from './deps.ts';
import { type AskEndpoint, admitLateEndpoints } from './late-endpoints.ts';

export interface ChainSettings {
  readonly chainId: number;
  readonly genesisHash: string | undefined;
  readonly startBlock: number;
}

interface IdentityDeps extends JobDeps {
  readonly settings: Pick<ChainSettings, 'chainId' | 'genesisHash'>;
}

/**
 * Checks chain id and genesis hash of all endpoints against configuration and database. The first start stores both. Then
 * checks endpoints that have not answered whenever they do, until `deps.signal` aborts.
 * @throws WrongChainError naming the endpoint and both values
 */
export async function assertIdentity(deps: IdentityDeps): Promise<void> {
  const { settings, database, signal } = deps;
  const [stored] = await database.read('chain_identity');
  if (stored) assertStored(stored, settings);
  const expected = settings.genesisHash ?? stored?.genesis_hash;
  let genesis: string | undefined;
  const silent = new Set<Endpoint>();
  for (let attempt = 0; genesis === undefined && !signal.aborted; attempt++) {
    genesis = await readGenesis(deps, expected, silent);
    if (genesis === undefined) await pause(Math.min(500 * 2 ** attempt, 10_000), signal);
  }
  if (genesis === undefined) return;
  if (!stored) await storeIdentity(deps, genesis);
  const wanted = genesis === zeroHash ? expected : genesis;
  const assertSame = async (endpoint: Endpoint, ask: AskEndpoint) =>
    assertGenesis(deps, endpoint, await readIdentity(deps, endpoint, ask), wanted);
  void admitLateEndpoints(deps, [...silent], assertSame);
}

function assertStored(stored: RowOf<'chain_identity'>, { chainId, genesisHash }: IdentityDeps['settings']): void {
  if (stored.chain_id !== String(chainId))
    throw new WrongChainError(
      `the database contains chain ${stored.chain_id}, but CHAIN_ID is ${chainId}: use another CLICKHOUSE_DATABASE`,
    );
  if (genesisHash && stored.genesis_hash !== genesisHash)
    throw new WrongChainError(
      `the database contains a chain with genesis ${stored.genesis_hash}, but GENESIS_HASH is ${genesisHash}`,
    );
}

const isDifferent = (known: string | undefined, hash: string) =>
  known !== undefined && known !== zeroHash && known !== hash;

/** @param silent receives the endpoints that do not answer */
async function readGenesis(
  deps: IdentityDeps,
  expected: string | undefined,
  silent: Set<Endpoint>,
): Promise<string | undefined> {
  let genesis: string | undefined;
  silent.clear();
  for (const endpoint of deps.client.endpoints) {
    const hash = await readIdentity(deps, endpoint, createAsk(deps, endpoint)).catch((error: unknown) => {
      if (error instanceof WrongChainError) throw error;
      if (deps.signal.aborted) return undefined;
      deps.log.warn(
        { event: 'endpoint_unreachable', endpoint: endpoint.name, error: String(error) },
        'the node does not answer: start it or correct RPC_URL; the pipeline waits meanwhile',
      );
      silent.add(endpoint);
      return undefined;
    });
    if (hash === undefined || hash === zeroHash) {
      genesis ??= hash;
      continue;
    }
    assertGenesis(deps, endpoint, hash, expected);
    if (isDifferent(genesis, hash))
      throw new WrongChainError(
        `endpoints serve two chains, with genesis ${genesis} and ${hash}: remove those of one chain from RPC_URL`,
      );
    genesis = hash;
  }
  return genesis;
}

/** @throws WrongChainError */
function assertGenesis(
  { settings }: Pick<IdentityDeps, 'settings'>,
  endpoint: Endpoint,
  hash: string,
  expected: string | undefined,
): void {
  if (hash === zeroHash || !isDifferent(expected, hash)) return;
  const remedy = settings.genesisHash
    ? ': correct RPC_URL or GENESIS_HASH'
    : ' of the stored chain: correct RPC_URL, or set CLICKHOUSE_DATABASE to a new name';
  throw new WrongChainError(`endpoint ${endpoint.name} serves genesis ${hash}, expected ${expected}${remedy}`);
}

const createAsk =
  ({ client, signal }: NodeDeps, endpoint: Endpoint): AskEndpoint =>
  (method, params) =>
    client.call(method, params, { endpoint, signal, retries: 1 });

async function readIdentity(
  { settings }: Pick<IdentityDeps, 'settings'>,
  endpoint: Endpoint,
  ask: AskEndpoint,
): Promise<string> {
  const nodeChainId = Number(await ask('eth_chainId', []));
  if (nodeChainId !== settings.chainId)
    throw new WrongChainError(
      `endpoint ${endpoint.name} serves chain ${nodeChainId}, CHAIN_ID is ${settings.chainId}: set CHAIN_ID=${nodeChainId} for this chain, or another RPC_URL`,
    );
  const block = (await ask('eth_getBlockByNumber', ['0x0', false]).catch((error: unknown) => {
    // a node without old blocks may answer with an error instead of null
    if (error instanceof NodeError && settings.genesisHash === undefined) return null;
    throw error;
  })) as { hash?: unknown } | null;
  if (isHash(block?.hash)) return block.hash.toLowerCase();
  // without block 0, only the chain id can be checked
  if (settings.genesisHash !== undefined)
    throw new WrongChainError(
      `endpoint ${endpoint.name} has no block 0 to compare with GENESIS_HASH: unset GENESIS_HASH or use a node that has block 0`,
    );
  return zeroHash;
}

async function storeIdentity({ database, settings }: IdentityDeps, genesis: string): Promise<void> {
  const w = new RowWriter(64);
  w.uint8(0);
  w.uint64(settings.chainId);
  w.fixed(genesis, 32);
  await database.insertRowBinary('chain_identity', w.view());
}
