/**
 * Whether a node that is configured here may be used for money. Only configured nodes are asked: a check of any URL would
 * let anybody send requests from here. @source specification 4.13 and 4.14; conventions M2
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

/** By what a node is compared with the index. */
export interface SelfCheckDeps extends StateDeps {
  readonly settings: StateDeps['settings'] & { readonly chainId: number; readonly genesisHash: string | undefined };
}

/** Names of the nodes that may be checked. */
export function nodesOf({ upstreams }: Pick<NodeDeps, 'upstreams'>): ReadonlyMap<string, Upstream> {
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
      attempt('chainId', chainId, async () => {
        const told = await ask<string>('eth_chainId', []);
        return [told === chainId, told];
      }),
      attempt('genesisHash', genesis, async () => {
        const hash = await hashAt(ask, 0);
        return [hash === genesis, hash];
      }),
      attempt('headLag', `at most ${okLagBlocks} blocks`, () => headLag(deps, state, ask)),
      attempt('indexedBlock', finalized?.block_hash ?? 'nothing settled yet', async () => {
        const hash = finalized ? await hashAt(ask, state.finalized) : 'nothing settled yet';
        return [!finalized || hash === finalized.block_hash, hash];
      }),
      attempt('receipts', 'status and block of a settled transaction', () => newestReceipt(deps, state, ask)),
    ]);
  });
}

type Ask = <T>(method: string, params: unknown[]) => Promise<T>;

/** Whether it is as it must be, and what it is. */
type Finding = readonly [passed: boolean, actual: string];

async function hashAt(ask: Ask, block: number): Promise<string> {
  const found = await ask<{ hash: string } | null>('eth_getBlockByNumber', [`0x${block.toString(16)}`, false]);
  return found?.hash ?? 'no such block';
}

async function headLag({ upstreams }: Pick<NodeDeps, 'upstreams'>, state: ChainState, ask: Ask): Promise<Finding> {
  const head = Number(await ask<string>('eth_blockNumber', []));
  const highest = Math.max(upstreams.head ?? 0, state.head);
  const lag = highest - head;
  return [lag <= okLagBlocks, `${Math.max(0, lag)} blocks (head ${head} of ${highest})`];
}

/** What the node says of the newest settled transaction. */
async function newestReceipt({ database }: StoreDeps, state: ChainState, ask: Ask): Promise<Finding> {
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
  if (!row) return [true, 'no transaction to ask for'];
  const receipt = await ask<Record<string, string> | null>('eth_getTransactionReceipt', [`0x${hexDigits(row.hash)}`]);
  const isWhole = /^0x[01]$/.test(receipt?.status ?? '') && Number(receipt?.blockNumber) === Number(row.block_number);
  return [isWhole, `receipt of ${row.hash}: status ${receipt?.status}, block ${receipt?.blockNumber}`];
}

async function attempt(name: NodeCheck['name'], expected: string, check: () => Promise<Finding>): Promise<NodeCheck> {
  try {
    const [passed, actual] = await check();
    return { name, passed, expected, actual };
  } catch {
    return { name, passed: false, expected, actual: 'no answer' };
  }
}
