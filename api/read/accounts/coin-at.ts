/**
 * Reads the coin balance of an account after a block from a node. If no node has the state of the block, subtracts all
 * later movements from the balance after the newest finalized block.
 */
import { hexDigits, toQuantity } from '#chain/codec/hex.ts';
import { known } from '#runtime/known.ts';
import { type ChainState, finalThrough, snapshotParameters } from '#sql/snapshot.ts';
import { ApiProblem, orUnknown } from '../../terms/errors.ts';
import { findBlock } from '../chain/find-block.ts';
import { getCoverage } from '../chain/freshness.ts';
import type { CoverageDeps, StoreDeps } from '../reader-deps.ts';
import type { AccountReader } from './account-reader.ts';
import { isTraced, type TracedReader } from './internal-calls/traced-reader.ts';

export interface CoinAtDeps extends StoreDeps, CoverageDeps {
  readonly accounts: AccountReader;
  readonly traced: TracedReader;
}

export interface CoinAt {
  /** Wei, decimal. */
  readonly balance: string;
  readonly source: 'node' | 'history';
}

/**
 * Nodes can be slow, so `state` may be outdated when they answer. Therefore reads history of final blocks only, and
 * checks that the node has the same block as `state`.
 * @throws ApiProblem state_unavailable, node_unavailable or indexing if neither a node nor the history has the balance
 */
export async function readCoinAt(deps: CoinAtDeps, state: ChainState, address: string, block: number): Promise<CoinAt> {
  const hash = await readHash(deps, state, block);
  const ofNode = await orUnknown(deps.accounts.balances([address], toQuantity(block), hash));
  if (ofNode) return { balance: known(ofNode[0], 'a balance'), source: 'node' };
  return { balance: await readCoinFromHistory(deps, state, address, block), source: 'history' };
}

/**
 * Subtracts all movements after a final block from the balance after the newest final block.
 * @param because why no node gave the balance, for errors
 * @returns wei, decimal
 * @throws ApiProblem state_unavailable if later blocks may contain changes that are no indexed movements; node_unavailable
 */
export async function readCoinFromHistory(
  deps: CoinAtDeps,
  state: ChainState,
  address: string,
  block: number,
  because = `no node has the balance after block ${block}`,
): Promise<string> {
  const refuse = (why: string) => new ApiProblem('state_unavailable', `${because}, and ${why}`);
  const newest = finalThrough(state);
  if (block >= newest) throw refuse('the block is not final yet');
  const range = { from: block + 1, to: newest };
  const ranges = await deps.traced.ranges(state);
  if (getCoverage(deps, state, range.from, newest).gaps.length > 0 || !isTraced(ranges, state, range.from, newest))
    throw refuse('later blocks are not indexed with their internal transfers');
  const hash = await readHash(deps, state, newest);
  const given = { ...snapshotParameters(state), accounts: [hexDigits(address)] };
  const [change, unlisted, [balance = '']] = await Promise.all([
    deps.database.readOne('coin_change', { ...given, from_block: range.from, to_block: newest }),
    deps.database.readOne('payments_without_transaction', { ...given, block, through: newest }),
    deps.accounts.balances([address], toQuantity(newest), hash),
  ]);
  if (Number(unlisted.withdrawal_blocks) > 0) throw refuse('validator withdrawals may have changed it since');
  if (Number(unlisted.produced_blocks) > 0)
    throw refuse('rewards of blocks that the account produced may have changed it since');
  const wei = BigInt(balance) - BigInt(change.wei);
  if (wei < 0n) throw refuse('the movements after the block do not add up to the balance');
  return String(wei);
}

/** @throws ApiProblem indexing if the block was replaced or became final since `state` */
async function readHash(deps: StoreDeps, state: ChainState, block: number): Promise<string> {
  const found = await findBlock(deps, state, block);
  if (found) return found.block_hash;
  throw new ApiProblem('indexing', `block ${block} changed while it was read: try again`);
}
