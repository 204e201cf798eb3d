import { zeroHash } from '#chain/codec/hex.ts';
import { WrongChainError } from '#chain/errors.ts';
import { type AskEndpoint, admitEndpoints } from '#chain/rpc/admit-endpoints.ts';
import type { Endpoint } from '#chain/rpc/endpoint.ts';
import { assertGenesis, type ConfiguredChain, isOtherGenesis, readGenesisHash } from '#chain/rpc/served-chain.ts';
import { pause } from '#runtime/shutdown.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { RowOf } from '#sql/statement-types.ts';
import type { JobDeps, NodeDeps } from './deps.ts';

export interface ChainSettings extends ConfiguredChain {
  readonly startBlock: number;
}

interface IdentityDeps extends JobDeps {
  readonly settings: ConfiguredChain;
}

/**
 * Checks chain id and genesis hash of all endpoints against configuration and database. The first start stores both.
 * Endpoints that do not answer are checked once they do, until `deps.signal` aborts.
 * @throws WrongChainError with the endpoint and both values
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
    assertGenesis(settings, endpoint, await readGenesisHash(settings, endpoint, ask), wanted);
  void admitEndpoints(deps, [...silent], assertSame);
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

/** @param silent receives the endpoints that do not answer */
async function readGenesis(
  deps: IdentityDeps,
  expected: string | undefined,
  silent: Set<Endpoint>,
): Promise<string | undefined> {
  let genesis: string | undefined;
  silent.clear();
  for (const endpoint of deps.client.endpoints) {
    const hash = await readGenesisHash(deps.settings, endpoint, createAsk(deps, endpoint)).catch((error: unknown) => {
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
    assertGenesis(deps.settings, endpoint, hash, expected);
    if (isOtherGenesis(genesis, hash))
      throw new WrongChainError(
        `endpoints serve two chains, with genesis ${genesis} and ${hash}: remove those of one chain from RPC_URL`,
      );
    genesis = hash;
  }
  return genesis;
}

const createAsk =
  ({ client, signal }: NodeDeps, endpoint: Endpoint): AskEndpoint =>
  (method, params) =>
    client.call(method, params, { endpoint, signal, retries: 1 });

async function storeIdentity({ database, settings }: IdentityDeps, genesis: string): Promise<void> {
  const w = new RowWriter(64);
  w.uint8(0);
  w.uint64(settings.chainId);
  w.fixed(genesis, 32);
  await database.insertRowBinary('chain_identity', w.view());
}
