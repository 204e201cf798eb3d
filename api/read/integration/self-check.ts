/**
 * Checks a configured node for handling deposits. Callers cannot choose other nodes, because the server would then send
 * requests to any URL.
 * @source docs/integration.md#check-the-node
 */
import { hexDigits } from '#chain/codec/hex.ts';
import type { Upstream } from '#gateway/upstream.ts';
import { okLagBlocks } from '#gateway/upstreams.ts';
import { known } from '#runtime/known.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { findBlock } from '../chain/find-block.ts';
import type { NodeDeps, StateDeps, StoreDeps } from '../reader-deps.ts';

export interface NodeCheck {
  readonly name: 'chainId' | 'genesisHash' | 'headLag' | 'indexedBlock' | 'receipts';
  readonly passed: boolean;
  readonly expected: string;
  readonly actual: string;
}

const timeoutMs = 5_000;
const noneFinalized = 'no finalized block in the index yet';

export interface SelfCheckDeps extends StateDeps {
  readonly settings: StateDeps['settings'] & { readonly chainId: number; readonly genesisHash: string | undefined };
}

export function listNodes({ upstreams }: Pick<NodeDeps, 'upstreams'>): ReadonlyMap<string, Upstream> {
  return new Map([
    ['writer', upstreams.writer],
    ...upstreams.readers.map((node, at): [string, Upstream] => [`read-${at}`, node]),
  ]);
}

export function checkNode(deps: SelfCheckDeps, node: Upstream): Promise<NodeCheck[]> {
  const ask: Ask = <T>(method: string, params: unknown[]) => node.call(method, params, timeoutMs) as Promise<T>;
  return deps.snapshots.run(async (state) => {
    const [identity] = await deps.database.read('chain_identity');
    const genesis = deps.settings.genesisHash ?? known(identity, 'the identity of the chain').genesis_hash;
    const chainId = `0x${deps.settings.chainId.toString(16)}`;
    const finalized = await findBlock(deps, state, state.finalized);
    return Promise.all([
      runCheck('chainId', chainId, async () => {
        const actual = await ask<string>('eth_chainId', []);
        return [actual === chainId, actual];
      }),
      runCheck('genesisHash', genesis, async () => {
        const hash = await readHash(ask, 0);
        return [hash === genesis, hash];
      }),
      runCheck('headLag', `at most ${okLagBlocks} blocks`, () => checkHeadLag(deps, state, ask)),
      runCheck('indexedBlock', finalized?.block_hash ?? noneFinalized, async () => {
        const hash = finalized ? await readHash(ask, state.finalized) : noneFinalized;
        return [!finalized || hash === finalized.block_hash, hash];
      }),
      runCheck('receipts', 'status and block of the newest finalized transaction', () =>
        checkNewestReceipt(deps, state, ask),
      ),
    ]);
  });
}

type Ask = <T>(method: string, params: unknown[]) => Promise<T>;

type Finding = readonly [passed: boolean, actual: string];

async function readHash(ask: Ask, block: number): Promise<string> {
  const found = await ask<{ hash: string } | null>('eth_getBlockByNumber', [`0x${block.toString(16)}`, false]);
  return found?.hash ?? 'block not found';
}

async function checkHeadLag({ upstreams }: Pick<NodeDeps, 'upstreams'>, state: ChainState, ask: Ask): Promise<Finding> {
  const head = Number(await ask<string>('eth_blockNumber', []));
  const highest = Math.max(upstreams.commonHead ?? 0, state.head);
  const lag = highest - head;
  return [lag <= okLagBlocks, `${Math.max(0, lag)} blocks (head ${head} of ${highest})`];
}

async function checkNewestReceipt({ database }: StoreDeps, state: ChainState, ask: Ask): Promise<Finding> {
  const [row] = await database.readBinary('transactions_desc', {
    ...snapshotParameters(state),
    from_block: 0,
    to_block: state.finalized,
    at_block: state.finalized + 1,
    at_index: 0,
    limit: 1,
    status: -1,
    method: '',
    min_value: '0',
  });
  if (!row) return [true, 'no finalized transaction in the index yet'];
  const receipt = await ask<Record<string, string> | null>('eth_getTransactionReceipt', [`0x${hexDigits(row.hash)}`]);
  const isMatch = /^0x[01]$/.test(receipt?.status ?? '') && Number(receipt?.blockNumber) === Number(row.block_number);
  return [isMatch, `receipt of ${row.hash}: status ${receipt?.status}, block ${receipt?.blockNumber}`];
}

async function runCheck(name: NodeCheck['name'], expected: string, check: () => Promise<Finding>): Promise<NodeCheck> {
  try {
    const [passed, actual] = await check();
    return { name, passed, expected, actual };
  } catch {
    return { name, passed: false, expected, actual: 'the node did not answer' };
  }
}
