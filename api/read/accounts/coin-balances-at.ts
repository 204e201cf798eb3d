/**
 * Computes coin balances of all accounts after a finalized block: takes later balances from the next checkpoint or a
 * node, and subtracts the changes since the block. A balance from a node can be older than the block if the account has
 * had only internal transfers since: then adds these.
 */
import { hexDigits, toQuantity } from '#chain/codec/hex.ts';
import { distinctBy } from '#runtime/lists.ts';
import { coinParameters, lateParameters, nextCheckpoint, readCheckpoints } from '#sql/coin-checkpoints.ts';
import { balancesJob, hasRedoRequests, readMark, withdrawalsJob } from '#sql/job-marks.ts';
import { type ChainState, finalThrough } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { ApiProblem, orUnknown } from '../../terms/errors.ts';
import { assertCovered } from '../chain/freshness.ts';
import { type BlockOrTime, selectBlock } from '../chain/select-block.ts';
import type { CoverageDeps, StoreDeps, TimeDeps } from '../reader-deps.ts';
import { beforeFirst, type HolderAfter, type HoldersAt } from '../tokens/balances-at.ts';
import type { AccountReader } from './account-reader.ts';
import { assertTraced, type TracedReader } from './internal-calls/traced-reader.ts';

export interface CoinBalancesDeps extends StoreDeps, CoverageDeps, TimeDeps {
  readonly traced: TracedReader;
  readonly accounts: AccountReader;
}

/**
 * Returns the finalized block that a request selects by number or time. Default: the newest block with stored balances.
 * @throws ApiProblem as selectBlock; bad_query if the block is not indexed, or if stored balances do not reach it yet
 *   (indexing if it was selected by a time); indexing if blocks or traces are missing
 */
export async function requireCoinBlock(deps: CoinBalancesDeps, state: ChainState, at: BlockOrTime): Promise<number> {
  const asked = await selectBlock(deps, state, at);
  if (await hasRedoRequests(deps))
    throw new ApiProblem('indexing', 'balances of accounts in blocks that were stored late are being read: try again');
  const through = await Promise.all([balancesJob, withdrawalsJob].map((job) => readMark(deps, job)));
  const newest = Math.min(...through, finalThrough(state));
  if (newest < 0) throw new ApiProblem('indexing', 'balances have not been read from the node yet');
  const found = asked ?? newest;
  if (found > newest)
    throw new ApiProblem(
      at.time === undefined ? 'bad_query' : 'indexing',
      `balances are known up to block ${newest}, got ${found}`,
    );
  if (found < state.startBlock)
    throw new ApiProblem('bad_query', `the first indexed block is ${state.startBlock}, got ${found}`);
  assertCovered(deps, state, { from: state.startBlock, to: state.finalized }, 'balances need all transfers of coin');
  await assertTraced(
    deps.traced,
    state,
    { from: state.startBlock, to: state.finalized },
    `balances of all accounts need the internal transfers of blocks ${state.startBlock} to ${state.finalized} (TRACES), which are not all indexed`,
  );
  return found;
}

export interface CoinBalances extends HoldersAt {
  /** Accounts that produced the most later blocks, of any rank in the list. */
  readonly producers: HoldersAt['rows'];
}

/** Number of highest balances, and of block producers, that are compared with a node. */
export const confirmedRows = 200;

/**
 * Reads accounts, highest balance first.
 * @returns undefined if the stored balances are newer than `state`, or if checkpoints changed during the read
 * @throws ApiProblem state_unavailable after validator withdrawals or unknown transfers
 */
export async function readCoinBalancesAt(
  deps: StoreDeps,
  state: ChainState,
  block: number,
  page: { readonly after?: HolderAfter | undefined; readonly limit: number },
): Promise<CoinBalances | undefined> {
  const rows = await readRows(deps, state, block, page);
  if (!rows) return undefined;
  const [first] = rows;
  if (Number(first?.newest_known ?? 0) > state.finalized) return undefined;
  if (Number(first?.withdrawal_blocks ?? 0) > 0)
    throw unexplained(block, `validator withdrawals of ${first?.withdrawal_blocks} later blocks changed balances`);
  if (Number(first?.below_zero ?? 0) > 0)
    throw unexplained(block, `the history of ${first?.below_zero} accounts does not add up to their balances`);
  const behind = rows.filter(({ is_behind }) => is_behind === 1).toSorted(compareBalances);
  return {
    rows: behind.slice(0, page.limit).map(toBalance),
    producers: rows.filter(({ is_producer }) => is_producer === 1).map(toBalance),
    holders: Number(first?.account_count ?? 0),
    held: first?.total_wei ?? '0',
  };
}

const toBalance = ({ address, wei }: RowOf<'coin_balances_at'>) => ({ address, balance: wei });

function compareBalances(a: RowOf<'coin_balances_at'>, b: RowOf<'coin_balances_at'>): number {
  if (a.wei.length !== b.wei.length) return b.wei.length - a.wei.length;
  const [one, other] = a.wei === b.wei ? [a.address, b.address] : [b.wei, a.wei];
  return one < other ? -1 : 1;
}

/** Uses the next checkpoint if it has all accounts. @returns undefined if checkpoints changed during the read */
async function readRows(
  { database }: StoreDeps,
  state: ChainState,
  block: number,
  { after = beforeFirst, limit }: { readonly after?: HolderAfter | undefined; readonly limit: number },
): Promise<RowOf<'coin_balances_at'>[] | undefined> {
  const checkpoints = await readCheckpoints(database);
  const checkpoint = nextCheckpoint(checkpoints, block);
  const readFrom = (origin: number | undefined) =>
    database.read('coin_balances_at', {
      ...coinParameters(state, block, origin),
      at_balance: after.balance,
      at_account: hexDigits(after.address),
      limit,
      producers: confirmedRows,
    });
  if (checkpoint === undefined) return readFrom(undefined);
  const [found, [late]] = await Promise.all([
    readFrom(checkpoint),
    database.read('late_coin_accounts', lateParameters(state, checkpoints)),
  ]);
  // a checkpoint lacks accounts that the genesis block funded and that had their first transaction after it
  if (found.length === 0 || Number(late?.accounts ?? 0) > 0) return readFrom(undefined);
  const isSame = late?.stored_rows === found[0]?.stored_rows && (await readCheckpoints(database)).includes(checkpoint);
  return isSame ? found : undefined;
}

const unexplained = (block: number, why: string) =>
  new ApiProblem('state_unavailable', `balances after block ${block} can't be computed: ${why}`);

/**
 * Compares the highest balances and those of block producers with a node, to detect rewards that are no transfers.
 * @returns false if no node has the state of the block
 * @throws ApiProblem state_unavailable if they differ
 */
export async function isConfirmedByNode(
  { accounts }: Pick<CoinBalancesDeps, 'accounts'>,
  block: number,
  found: Pick<CoinBalances, 'rows' | 'producers'>,
): Promise<boolean> {
  const rows = distinctBy([...found.rows.slice(0, confirmedRows), ...found.producers], ({ address }) => address);
  const addresses = rows.map(({ address }) => address);
  const balances = await orUnknown(accounts.balances(addresses, toQuantity(block)));
  if (!balances) return false;
  const wrong = rows.findIndex(({ balance }, i) => balance !== balances[i]);
  if (wrong < 0) return true;
  throw unexplained(
    block,
    `${addresses[wrong]} has ${rows[wrong]?.balance} wei according to its history, but ${balances[wrong]} wei according to a node`,
  );
}
