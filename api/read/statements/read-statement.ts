/**
 * Account statements: balances before and after a range of finalized blocks, and all movements between. Their sum is
 * compared with balances from a node.
 * @source docs/statements.md
 */
import type { Readable } from 'node:stream';
import { hexDigits, toQuantity } from '#chain/codec/hex.ts';
import { known } from '#runtime/known.ts';
import { groupBy } from '#runtime/lists.ts';
import { type ChainState, finalizedPart, finalThrough, snapshotParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { AccountReader } from '../accounts/account-reader.ts';
import { isTraced, type TracedReader } from '../accounts/internal-calls/traced-reader.ts';
import { maxTokens } from '../accounts/tokens-at.ts';
import { blockWindow, isFinalRange, type WindowQuery } from '../chain/block-window.ts';
import { assertCovered } from '../chain/freshness.ts';
import { readDayPrices } from '../market/day-prices.ts';
import type { TradeDeps } from '../market/trades.ts';
import type { CoverageDeps, StoreDeps, TimeDeps } from '../reader-deps.ts';
import { compareTokens, type TokenRow, withoutComparison } from './compare-tokens.ts';
import type { CoinKind, Statement } from './statement.ts';
import { addStatements } from './statement-total.ts';

export interface StatementDeps extends StoreDeps, CoverageDeps, TimeDeps, TradeDeps {
  readonly accounts: AccountReader;
  readonly traced: TracedReader;
  readonly settings: CoverageDeps['settings'] & TradeDeps['settings'];
}

export interface StatementWindow {
  readonly state: ChainState;
  readonly fromBlock: number;
  readonly toBlock: number;
}

/**
 * Excludes block 0, because the statement opens with the balances of the block before.
 * @throws ApiProblem bad_query for an empty range; indexing if blocks are missing or not finalized, because the next
 * statement begins after this one
 */
export async function readStatementWindow(
  deps: StatementDeps,
  newest: ChainState,
  query: WindowQuery,
): Promise<StatementWindow> {
  const state = finalizedPart(newest);
  const window = await blockWindow(deps, newest, { head: finalThrough(newest) }, query);
  const fromBlock = Math.max(window.fromBlock, newest.startBlock + (newest.startBlock === 0 ? 1 : 0));
  const { toBlock } = window;
  assertIndexedStart(newest, query, window.fromBlock);
  if (!isFinalRange(newest, query, window))
    throw new ApiProblem(
      'indexing',
      `the statement is incomplete: its last blocks are not finalized yet; finalized is block ${finalThrough(newest)}`,
    );
  if (fromBlock > toBlock)
    throw new ApiProblem(
      'bad_query',
      `the statement has no block: it begins with block ${fromBlock} and ends with the finalized block ${toBlock}`,
    );
  assertCovered(deps, newest, { from: newest.startBlock, to: toBlock }, 'the statement is incomplete');
  return { state, fromBlock, toBlock };
}

/** @throws ApiProblem bad_query if the requested start is before the first indexed block */
function assertIndexedStart({ startBlock }: ChainState, { fromBlock = 0, fromTime }: WindowQuery, found: number): void {
  // block 0 has no movements, so it means the start of the index
  const isBefore = fromBlock > 0 && fromBlock < startBlock;
  // earlier blocks can have the same time as the first indexed block
  const isAtStart = fromTime !== undefined && found <= startBlock;
  if (startBlock > 0 && (isBefore || isAtStart))
    throw new ApiProblem(
      'bad_query',
      `the statement can't begin before block ${isBefore ? startBlock : startBlock + 1}: earlier blocks are not indexed here (START_BLOCK)`,
    );
}

/** Part of a statement that comes from the index. */
export interface IndexedStatement {
  readonly accounts: readonly string[];
  readonly window: StatementWindow;
  readonly sums: readonly RowOf<'movement_totals'>[];
  readonly tokens: readonly TokenRow[];
  readonly hasInternal: boolean;
}

/** Tokens to include: all, or those listed. `none`: the format has no tokens. */
export type AskedTokens = 'all' | 'none' | readonly string[];

/** @throws ApiProblem bad_query for too many tokens */
export async function readIndexed(
  deps: StatementDeps,
  accounts: readonly string[],
  window: StatementWindow,
  asked: AskedTokens,
): Promise<IndexedStatement> {
  const { state, fromBlock, toBlock } = window;
  const given = toParameters(accounts, window);
  const ranges = await deps.traced.ranges(state); // first: blocks that are traced later would lack movements below
  const [sums, tokenRows] = await Promise.all([
    deps.database.read('movement_totals', given),
    asked === 'none' ? [] : deps.database.read('token_statement', { ...given, ...toTokenParameters(asked) }),
  ]);
  if (tokenRows.length > maxTokens)
    throw new ApiProblem(
      'bad_query',
      `the accounts hold more than ${maxTokens} tokens: request fewer accounts, or name up to 100 tokens`,
    );
  const isWhole = state.startBlock === 0;
  const tokens = tokenRows.map(
    (row): TokenRow => ({
      ...{ account: `0x${row.account_hex}`, token: `0x${row.token_hex}`, standard: row.standard_name, tokenId: row.id },
      ...{ opening: isWhole ? row.opening : null, closing: isWhole ? row.closing : null },
      ...{ received: row.received, sent: row.sent, within: row.within },
      movements: Number(row.movement_count),
    }),
  );
  return { accounts, window, sums, tokens, hasInternal: isTraced(ranges, state, fromBlock, toBlock) };
}

/** Adds balances from nodes. Needs no snapshot, because the blocks are final; nodes can be slow. */
export async function addNodeBalances(
  deps: StatementDeps,
  { accounts, window, sums, tokens: found, hasInternal }: IndexedStatement,
  { comparesTokens }: { readonly comparesTokens: boolean },
): Promise<Statement> {
  const { fromBlock, toBlock, state } = window;
  const [before, after, { tokens, tokensUnknownBecause }] = await Promise.all([
    readBalances(deps, accounts, fromBlock - 1),
    readBalances(deps, accounts, toBlock),
    comparesTokens ? compareTokens(deps, window, found) : withoutComparison(found),
  ]);
  const byAccount = groupBy(sums, ({ account_hex }) => `0x${account_hex}`);
  const coin = accounts.map((account, i) => {
    const own = (byAccount.get(account) ?? []).map((row) => ({
      kind: row.kind as CoinKind,
      direction: row.is_in === 1 ? ('in' as const) : ('out' as const),
      movements: Number(row.movement_count),
      ...{ amount: BigInt(row.total), within: BigInt(row.within_total) },
    }));
    const change = own.reduce((sum, { direction, amount }) => (direction === 'in' ? sum + amount : sum - amount), 0n);
    const [opening, closing] = [getWei(before, i), getWei(after, i)];
    const difference = opening === null || closing === null ? null : closing - opening - change;
    return { account, opening, closing, sums: own, change, difference };
  });
  return {
    ...{ accounts, fromBlock, toBlock, hasInternal },
    unknownBecause: [before, after].flatMap((end) => ('reason' in end ? [end.reason] : []))[0],
    ...{ coin, tokens, total: addStatements(coin, tokens) },
    tokensUnknownBecause: describeEarlier(state) ?? tokensUnknownBecause,
  };
}

const describeEarlier = ({ startBlock }: ChainState): string | undefined =>
  startBlock === 0
    ? undefined
    : `tokens that arrived before block ${startBlock} (START_BLOCK) are listed only if they moved in the blocks of the statement`;

/** Balances at one block, or why they are unknown. */
type Balances = { readonly wei: readonly bigint[] } | { readonly reason: string };

async function readBalances(
  { accounts }: StatementDeps,
  addresses: readonly string[],
  block: number,
): Promise<Balances> {
  try {
    return { wei: (await accounts.balances(addresses, toQuantity(block))).map(BigInt) };
  } catch (error) {
    if (error instanceof ApiProblem) return { reason: error.detail };
    throw error;
  }
}

const getWei = (balances: Balances, at: number) => ('wei' in balances ? (balances.wei[at] ?? null) : null);

export interface StatementTimes {
  /** Times of the first and last block, Unix seconds. */
  readonly from: number;
  readonly to: number;
  /** Dollars per coin by start of day, Unix seconds. */
  readonly prices: ReadonlyMap<number, string>;
}

/** Streams movements, oldest first, one JSON object per line. @param tokens empty: all */
export function streamMovements(
  { database }: StoreDeps,
  accounts: readonly string[],
  window: StatementWindow,
  tokens: readonly string[],
): Promise<Readable> {
  return database.stream('movements', 'JSONEachRow', {
    ...toParameters(accounts, window),
    tokens: tokens.map(hexDigits),
  });
}

export async function readStatementTimes(
  deps: StatementDeps,
  { state, fromBlock, toBlock }: StatementWindow,
): Promise<StatementTimes> {
  const [first, last, now] = await Promise.all([
    deps.blockTimes.of(state, fromBlock),
    deps.blockTimes.of(state, toBlock),
    deps.blockTimes.head(state),
  ]);
  const from = known(first, `the time of block ${fromBlock}`);
  const to = known(last, `the time of block ${toBlock}`);
  return { from, to, prices: state.startBlock > 0 ? new Map() : await readDayPrices(deps, state, { from, to, now }) };
}

const toTokenParameters = (asked: AskedTokens) => ({
  tokens: typeof asked === 'string' ? [] : asked.map(hexDigits),
  limit: maxTokens + 1,
});

function toParameters(accounts: readonly string[], { state, fromBlock, toBlock }: StatementWindow) {
  const window = { from_block: fromBlock, to_block: toBlock };
  return { ...snapshotParameters(state), accounts: accounts.map(hexDigits), ...window };
}
