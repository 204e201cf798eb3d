/** Reads accounts whose coin balance changed between two finalized blocks, from all movements between. */
import { toQuantity } from '#chain/codec/hex.ts';
import { type ChainState, finalizedPart, snapshotParameters } from '#sql/snapshot.ts';
import { ApiProblem, orUnknown } from '../../terms/errors.ts';
import type { StoreDeps } from '../reader-deps.ts';
import type { AccountReader } from './account-reader.ts';

export interface CoinChange {
  readonly address: string;
  /** Wei. */
  readonly change: string;
}

export interface CoinChanges {
  readonly gained: readonly CoinChange[];
  readonly lost: readonly CoinChange[];
  readonly counts: { readonly gained: number; readonly lost: number };
}

interface Range {
  readonly fromBlock: number;
  readonly toBlock: number;
}

/**
 * Returns the largest gains and losses, at most `limit` each.
 * @throws ApiProblem state_unavailable after validator withdrawals, whose recipients are unknown
 */
export async function readCoinChanges(
  { database }: StoreDeps,
  state: ChainState,
  { fromBlock, toBlock }: Range,
  limit: number,
): Promise<CoinChanges> {
  const rows = await database.read('coin_changes', {
    ...snapshotParameters(finalizedPart(state)),
    ...{ block: fromBlock, internal_after: fromBlock, through: toBlock, limit },
  });
  const [first] = rows;
  if (Number(first?.withdrawal_blocks ?? 0) > 0)
    throw new ApiProblem(
      'state_unavailable',
      `changes of balances are unknown: ${first?.withdrawal_blocks} blocks of the range have validator withdrawals`,
    );
  const changes = (isGain: boolean) =>
    rows
      .filter(({ gained }) => (gained === 1) === isGain)
      .map(({ account, wei }) => ({ address: account, change: wei }));
  return {
    gained: changes(true),
    lost: changes(false),
    counts: { gained: Number(first?.gained_count ?? 0), lost: Number(first?.lost_count ?? 0) },
  };
}

export interface ConfirmedChange extends CoinChange {
  /** Balances after both blocks, wei; null if no node has the state of both blocks. */
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Adds the balances that a node returns.
 * @throws ApiProblem state_unavailable if they contradict a change
 */
export async function confirmChanges(
  { accounts }: { readonly accounts: AccountReader },
  { fromBlock, toBlock }: Range,
  changes: readonly CoinChange[],
): Promise<ConfirmedChange[]> {
  const addresses = changes.map(({ address }) => address);
  const [before, after] = await Promise.all(
    [fromBlock, toBlock].map((block) => orUnknown(accounts.balances(addresses, toQuantity(block)))),
  );
  return changes.map(({ address, change }, i) => {
    const [opening, closing] = [before?.[i], after?.[i]];
    if (opening === undefined || closing === undefined) return { address, change, before: null, after: null };
    const difference = BigInt(closing) - BigInt(opening);
    if (difference === BigInt(change)) return { address, change, before: opening, after: closing };
    throw new ApiProblem(
      'state_unavailable',
      `the balance of ${address} changed by ${change} wei according to its history, but by ${difference} wei according to a node`,
    );
  });
}
