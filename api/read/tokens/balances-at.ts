/** Token balances after any block, computed from transfers. */
import { hexDigits, zeroAddress } from '#chain/codec/hex.ts';
import { type ChainState, finalThrough, rollupParameters } from '#sql/snapshot.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { assertCovered } from '../chain/freshness.ts';
import { type BlockOrTime, selectBlock } from '../chain/select-block.ts';
import { type GainsAndLosses, splitChanges } from '../gains-and-losses.ts';
import type { CoverageDeps, StoreDeps, TimeDeps } from '../reader-deps.ts';

export interface BalancesDeps extends StoreDeps, CoverageDeps, TimeDeps {}

export interface TokenOf {
  readonly token: string;
  readonly standard: string;
}

interface HolderAt {
  readonly address: string;
  readonly balance: string;
}

export interface HoldersAt {
  readonly rows: readonly HolderAt[];
  readonly holders: number;
  /** Sum of all balances. */
  readonly held: string;
}

/** Position among holders, sorted by balance (highest first), then address. */
export interface HolderAfter {
  readonly balance: string;
  readonly address: string;
}

export const beforeFirst: HolderAfter = { balance: String(2n ** 256n - 1n), address: zeroAddress };

export async function readHoldersAt(
  { database }: StoreDeps,
  state: ChainState,
  { token, standard }: TokenOf,
  block: number,
  { after = beforeFirst, limit }: { readonly after?: HolderAfter | undefined; readonly limit: number },
): Promise<HoldersAt> {
  const rows = await database.read('holders_at', {
    ...rollupParameters(state),
    token: hexDigits(token),
    standard,
    from_block: block,
    to_block: block,
    at_balance: after.balance,
    at_holder: hexDigits(after.address),
    limit,
  });
  const [first] = rows;
  return {
    rows: rows.map(({ address, amount }) => ({ address, balance: amount })),
    holders: Number(first?.holder_count ?? 0),
    held: first?.held_total ?? '0',
  };
}

interface BalanceChange {
  readonly address: string;
  readonly before: string;
  readonly after: string;
}

export interface BalanceChanges extends GainsAndLosses<BalanceChange> {
  /** `joined`, `left`: new and former holders. */
  readonly counts: Record<'gained' | 'lost' | 'joined' | 'left', number>;
}

/** Holders with the largest changes between two blocks. */
export async function readBalanceChanges(
  { database }: StoreDeps,
  state: ChainState,
  { token, standard }: TokenOf,
  range: { readonly fromBlock: number; readonly toBlock: number },
  limit: number,
): Promise<BalanceChanges> {
  const rows = await database.read('balance_changes', {
    ...rollupParameters(state),
    token: hexDigits(token),
    standard,
    from_block: range.fromBlock,
    to_block: range.toBlock,
    limit,
  });
  const [first] = rows;
  const show = ({ address, amount_before: before, amount_after: after }: (typeof rows)[number]) => ({
    ...{ address, before, after },
  });
  const { counts, ...lists } = splitChanges(rows, show);
  const [joined, left] = [Number(first?.joined_count ?? 0), Number(first?.left_count ?? 0)];
  return { ...lists, counts: { ...counts, joined, left } };
}

/**
 * Returns the given block, or the last block at or before the given time. Default: the newest finalized block.
 * @throws ApiProblem as selectBlock; bad_query if the block is above the newest; indexing if transfers are missing
 */
export async function requireBlock(deps: BalancesDeps, state: ChainState, at: BlockOrTime): Promise<number> {
  const found = (await selectBlock(deps, state, at)) ?? finalThrough(state);
  if (found > state.head) throw new ApiProblem('bad_query', `the newest block is ${state.head}, got ${found}`);
  assertCovered(deps, state, { from: 0, to: found }, 'balances need all earlier transfers');
  return found;
}
