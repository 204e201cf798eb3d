/** Reads which coin balances changed between two finalized blocks. */
import { toQuantity } from '#chain/codec/hex.ts';
import { type ChainState, finalizedPart, snapshotParameters } from '#sql/snapshot.ts';
import { ApiProblem, orUnknown } from '../../terms/errors.ts';
import type { BlockWindow } from '../chain/block-window.ts';
import { type GainsAndLosses, splitChanges } from '../gains-and-losses.ts';
import type { StoreDeps } from '../reader-deps.ts';
import type { AccountReader } from './account-reader.ts';

export interface CoinChange {
  readonly address: string;
  /** Wei. */
  readonly change: string;
}

export type CoinChanges = GainsAndLosses<CoinChange>;

/**
 * Returns the largest gains and losses, at most `limit` each.
 * @throws ApiProblem state_unavailable after validator withdrawals, whose recipients are unknown
 */
export async function readCoinChanges(
  { database }: StoreDeps,
  state: ChainState,
  { fromBlock, toBlock }: BlockWindow,
  limit: number,
): Promise<CoinChanges> {
  const range = { ...snapshotParameters(finalizedPart(state)), block: fromBlock, through: toBlock };
  const [rows, { withdrawal_blocks: withdrawals }] = await Promise.all([
    database.read('coin_changes', { ...range, internal_after: fromBlock, limit }),
    database.readOne('payments_without_transaction', { ...range, accounts: [] }),
  ]);
  if (Number(withdrawals) > 0)
    throw new ApiProblem(
      'state_unavailable',
      `balance changes are unknown: ${withdrawals} blocks in the range have validator withdrawals`,
    );
  return splitChanges(rows, ({ account, wei }) => ({ address: account, change: wei }));
}

export interface ConfirmedChange extends CoinChange {
  /** Balances after both blocks, wei; null if no node has the state of both blocks. */
  readonly before: string | null;
  readonly after: string | null;
  /** Change according to the node minus `change`, wei: for example a block reward. Null if the balances are null. */
  readonly difference: string | null;
}

export async function compareChanges(
  { accounts }: { readonly accounts: AccountReader },
  { fromBlock, toBlock }: BlockWindow,
  changes: readonly CoinChange[],
): Promise<ConfirmedChange[]> {
  const addresses = changes.map(({ address }) => address);
  const [before, after] = await Promise.all(
    [fromBlock, toBlock].map((block) => orUnknown(accounts.balances(addresses, toQuantity(block)))),
  );
  return changes.map(({ address, change }, i) => {
    const [opening, closing] = [before?.[i], after?.[i]];
    if (opening === undefined || closing === undefined)
      return { address, change, before: null, after: null, difference: null };
    const difference = BigInt(closing) - BigInt(opening) - BigInt(change);
    return { address, change, before: opening, after: closing, difference: String(difference) };
  });
}
