/**
 * Computes holders, transfers and balance total of a token: stored totals per 2,000 blocks (rollup windows), plus
 * changes in newer blocks. Caches both.
 */
import { hexDigits } from '#chain/codec/hex.ts';
import { clampBalance, combineSumParts } from '#chain/codec/wide-sum.ts';
import { groupBy } from '#runtime/lists.ts';
import { rollupWindowBlocks } from '#sql/chain-tables.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, isStillIntact, isWhole, rollupParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { Cache } from '../../cache/cache.ts';
import type { RecentHistory } from '../../tail/recent-history.ts';

/** Maximum cached holders with changed balances, per token. */
const maxMovedHolders = 50_000;

export interface TokenCounts {
  /** Of the first event: 1 ERC-20, 2 ERC-721, 3 ERC-1155. */
  readonly standardCode: number;
  /** Standards of all events, in order of first event. */
  readonly seenCodes: readonly number[];
  readonly transfers: number;
  readonly firstBlock: number;
  readonly firstSeen: number;
  readonly lastBlock: number;
}

export interface HeldFigures {
  readonly holders: number;
  /** Sum of balances; can exceed uint256 if events are false. */
  readonly heldTotal: bigint;
  /** Balances that changed since the last stored sums; negative if events are false. */
  readonly moved: ReadonlyMap<string, bigint>;
}

export interface TokenFigures extends TokenCounts {
  readonly held: ReadonlyMap<number, HeldFigures>;
}

/** Returns `code` if the token has events of this standard, else the standard of its first event. */
export const getHeldCode = ({ seenCodes, standardCode }: TokenCounts, code: number) =>
  seenCodes.includes(code) ? code : standardCode;

const noHolders: HeldFigures = { holders: 0, heldTotal: 0n, moved: new Map() };

export const heldAs = (figures: TokenFigures, code: number): HeldFigures =>
  figures.held.get(getHeldCode(figures, code)) ?? noHolders;

interface Moves {
  readonly reorgGeneration: number;
  readonly rollupThrough: number;
  readonly through: number;
  readonly counts: TokenCounts | undefined;
  readonly held: ReadonlyMap<number, HeldFigures>;
}

type ClosedRecord = RowOf<'closed_token'>;
/** Holder with transfers since the last stored sums. `closed`: balance according to those sums. */
type MovedRecord = RowOf<'moved_holders'>;

export class TokenLedger {
  readonly #figures = new Cache<TokenFigures | undefined>('token_figures');
  readonly #closed = new Cache<readonly ClosedRecord[]>('closed_tokens');
  readonly #moves = new Cache<Moves>('token_moves');
  readonly database: Database;
  readonly recentHistory: RecentHistory;

  constructor(database: Database, recentHistory: RecentHistory) {
    this.database = database;
    this.recentHistory = recentHistory;
  }

  of(state: ChainState, address: string): Promise<TokenFigures | undefined> {
    const token = hexDigits(address);
    return this.#figures.of(token, state, () => this.#read(state, token));
  }

  async #read(state: ChainState, token: string): Promise<TokenFigures | undefined> {
    const [closed, moves] = await Promise.all([
      this.#closed.of(token, state, () => this.#readClosed(state, token)),
      this.#readMoves(state, token),
    ]);
    const counts = mergeCounts(mergeClosed(closed), moves.counts);
    return counts && { ...counts, held: mergeHeld(closed, moves) };
  }

  #readClosed(state: ChainState, token: string): Promise<ClosedRecord[]> {
    return this.database.read('closed_token', {
      era_through: state.rollupThrough,
      era_blocks: rollupWindowBlocks,
      token,
    });
  }

  async #readMoves(state: ChainState, token: string): Promise<Moves> {
    const cached = this.#moves.get(token, state);
    const base = cached && isUsable(cached, state) ? cached : createMoves(state);
    if (base.through >= state.head) return base;
    const moves = (await this.#hasNoLogs(state, token, base.through))
      ? { ...base, through: state.head }
      : await this.#readNewer(state, token, base);
    if (!isWhole(state) || countMoved(moves) > maxMovedHolders || !(await isStillIntact(this.database, state)))
      return moves;
    const newest = this.#moves.get(token, state);
    if (!newest || isOlder(newest, moves)) this.#moves.set(token, state, moves);
    return moves;
  }

  /** Returns whether the token emitted no log after block `through`; false if unknown. */
  async #hasNoLogs(state: ChainState, token: string, through: number): Promise<boolean> {
    if (through < state.finalized) return false;
    const blocks = await this.recentHistory.readBlocks(state, `0x${token}`);
    return blocks !== undefined && (blocks.at(-1) ?? 0) <= through;
  }

  async #readNewer(state: ChainState, token: string, base: Moves): Promise<Moves> {
    const parameters = { ...rollupParameters(state), token, from_block: base.through + 1 };
    const [counted, moved] = await Promise.all([
      this.database.readOne('token_counts', parameters),
      this.database.read('moved_holders', parameters),
    ]);
    const counts = Number(counted.transfer_count) > 0 ? parseCounts(counted, counted.seen_codes) : undefined;
    return { ...extend(base, moved), through: state.head, counts: mergeCounts(base.counts, counts) };
  }
}

function isUsable({ reorgGeneration, rollupThrough, through }: Moves, state: ChainState): boolean {
  return (
    isWhole(state) &&
    reorgGeneration === state.reorgGeneration &&
    rollupThrough === state.rollupThrough &&
    through <= state.head
  );
}

const isOlder = (one: Moves, other: Moves) =>
  (one.reorgGeneration - other.reorgGeneration ||
    one.rollupThrough - other.rollupThrough ||
    one.through - other.through) < 0;

const createMoves = ({ reorgGeneration, rollupThrough }: ChainState): Moves => ({
  reorgGeneration,
  rollupThrough,
  through: rollupThrough - 1,
  counts: undefined,
  held: new Map(),
});

const countMoved = ({ held }: Moves) => [...held.values()].reduce((sum, { moved }) => sum + moved.size, 0);

/** Does not change `base`: running requests still read it. */
function extend(base: Moves, moved: readonly MovedRecord[]): Moves {
  if (moved.length === 0) return base;
  const held = new Map(base.held);
  for (const [code, rows] of groupBy(moved, (row) => row.standard_code))
    held.set(code, extendFigures(base.held.get(code) ?? noHolders, rows));
  return { ...base, held };
}

function extendFigures(base: HeldFigures, rows: readonly MovedRecord[]): HeldFigures {
  const moved = new Map(base.moved);
  let { holders, heldTotal } = base;
  for (const row of rows) {
    const before = moved.get(row.address) ?? combineSumParts(row.closed, row.closed_high);
    const after = before + combineSumParts(row.delta, row.delta_high);
    moved.set(row.address, after);
    holders += Number(after > 0n) - Number(before > 0n);
    heldTotal += clampBalance(after) - clampBalance(before);
  }
  return { moved, holders, heldTotal };
}

function mergeHeld(closed: readonly ClosedRecord[], moves: Moves): Map<number, HeldFigures> {
  const all = new Map(moves.held);
  for (const row of closed) {
    const { holders, heldTotal, moved } = moves.held.get(row.standard_code) ?? noHolders;
    all.set(row.standard_code, {
      holders: Number(row.holders) + holders,
      heldTotal: combineSumParts(row.held, row.held_high) + heldTotal,
      moved,
    });
  }
  return all;
}

const parseCounts = (row: ClosedRecord | RowOf<'token_counts'>, seenCodes: readonly number[]): TokenCounts => ({
  standardCode: row.standard_code,
  seenCodes,
  transfers: Number(row.transfer_count),
  firstSeen: row.first_seen,
  firstBlock: Number(row.first_block),
  lastBlock: Number(row.last_block),
});

function mergeClosed(closed: readonly ClosedRecord[]): TokenCounts | undefined {
  const [first, ...others] = closed.map((row) => parseCounts(row, [row.standard_code]));
  return others.reduce<TokenCounts | undefined>(mergeCounts, first);
}

function mergeCounts(earlier: TokenCounts | undefined, later: TokenCounts | undefined): TokenCounts | undefined {
  if (!earlier || !later) return earlier ?? later;
  return {
    ...earlier,
    seenCodes: [...new Set([...earlier.seenCodes, ...later.seenCodes])],
    transfers: earlier.transfers + later.transfers,
    lastBlock: Math.max(earlier.lastBlock, later.lastBlock),
  };
}
