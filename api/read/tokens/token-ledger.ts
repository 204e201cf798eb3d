/**
 * Figures of a token up to a state: those of closed eras, read once an era, and what moved since, kept in memory and grown by
 * the rows of new blocks alone.
 */

import { hexDigits } from '#chain/codec/hex.ts';
import { amountOfSum, sumOfParts } from '#chain/codec/wide-sum.ts';
import { groupBy } from '#runtime/lists.ts';
import { rollupWindowBlocks } from '#sql/chain-tables.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, isWhole, rollupParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { Cache } from '../../cache/cache.ts';

/** Holders of a token up to which its moves are kept from state to state. */
const mostMoved = 50_000;

export interface TokenCounts {
  /** By the shape of its first event: 1 ERC-20, 2 ERC-721, 3 ERC-1155. */
  readonly standardCode: number;
  /** Of all its events, the first one's in front. */
  readonly seenCodes: readonly number[];
  readonly transfers: number;
  readonly firstBlock: number;
  /** Time of the first block, Unix seconds. */
  readonly firstSeen: number;
  readonly lastBlock: number;
}

/** Who holds a token of one standard, over all its ids. */
export interface HeldFigures {
  /** Addresses with a balance above 0. */
  readonly holders: number;
  /** Sum of those balances, smallest unit; of a token whose events lie it may exceed a uint256. */
  readonly heldTotal: bigint;
  /** Balance now of everyone whose balance has changed since the last closed era; below 0 where events lie. */
  readonly moved: ReadonlyMap<string, bigint>;
}

export interface TokenFigures extends TokenCounts {
  readonly held: ReadonlyMap<number, HeldFigures>;
}

/** Figures of a standard that holders are shown by: the given one, where its events say so, else that of its first event. */
export const heldCode = ({ seenCodes, standardCode }: TokenCounts, code: number) =>
  seenCodes.includes(code) ? code : standardCode;

const nobody: HeldFigures = { holders: 0, heldTotal: 0n, moved: new Map() };

export const heldAs = (figures: TokenFigures, code: number): HeldFigures =>
  figures.held.get(heldCode(figures, code)) ?? nobody;

/** What moved behind the last closed era, through a block. */
interface Moves {
  readonly reorgGeneration: number;
  readonly rollupThrough: number;
  readonly through: number;
  readonly counts: TokenCounts | undefined;
  /** By standard: changes of the number of holders and of the sum of their balances, and balances now. */
  readonly held: ReadonlyMap<number, HeldFigures>;
}

/** Of one standard. */
type ClosedRecord = RowOf<'closed_token'>;
/** `closed`: the balance as of the last closed era. */
type MovedRecord = RowOf<'moved_holders'>;

export class TokenLedger {
  readonly #figures = new Cache<TokenFigures | undefined>('token_figures');
  readonly #closed = new Cache<readonly ClosedRecord[]>('closed_tokens');
  readonly #moves = new Cache<Moves>('token_moves');
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** @returns undefined where the contract never emitted a transfer */
  of(state: ChainState, address: string): Promise<TokenFigures | undefined> {
    const token = hexDigits(address);
    return this.#figures.of(token, state, () => this.#read(state, token));
  }

  async #read(state: ChainState, token: string): Promise<TokenFigures | undefined> {
    const [closed, moves] = await Promise.all([
      this.#closed.of(token, state, () => this.#readClosed(state, token)),
      this.#readMoves(state, token),
    ]);
    const counts = together(countsOfAll(closed), moves.counts);
    return counts && { ...counts, held: allHeld(closed, moves) };
  }

  #readClosed(state: ChainState, token: string): Promise<ClosedRecord[]> {
    return this.database.read('closed_token', {
      era_through: state.rollupThrough,
      era_blocks: rollupWindowBlocks,
      token,
    });
  }

  async #readMoves(state: ChainState, token: string): Promise<Moves> {
    const kept = this.#moves.get(token, state);
    const base = kept && isPartOf(kept, state) ? kept : nothingIn(state);
    if (base.through >= state.head) return base;
    const parameters = { ...rollupParameters(state), token, from_block: base.through + 1 };
    const [counted, moved] = await Promise.all([
      this.database.readOne('token_counts', parameters),
      this.database.read('moved_holders', parameters),
    ]);
    const counts = Number(counted.transfer_count) > 0 ? countsOf(counted, counted.seen_codes) : undefined;
    const moves = { ...grow(base, moved), through: state.head, counts: together(base.counts, counts) };
    const newest = this.#moves.get(token, state);
    const isNewer = !newest || isBehind(newest, moves);
    if (isWhole(state) && isNewer && sizeOf(moves) <= mostMoved) this.#moves.set(token, state, moves);
    return moves;
  }
}

function isPartOf({ reorgGeneration, rollupThrough, through }: Moves, state: ChainState): boolean {
  return (
    isWhole(state) &&
    reorgGeneration === state.reorgGeneration &&
    rollupThrough === state.rollupThrough &&
    through <= state.head
  );
}

const isBehind = (one: Moves, other: Moves) =>
  (one.reorgGeneration - other.reorgGeneration ||
    one.rollupThrough - other.rollupThrough ||
    one.through - other.through) < 0;

const nothingIn = ({ reorgGeneration, rollupThrough }: ChainState): Moves => ({
  reorgGeneration,
  rollupThrough,
  through: rollupThrough - 1,
  counts: undefined,
  held: new Map(),
});

const sizeOf = ({ held }: Moves) => [...held.values()].reduce((sum, { moved }) => sum + moved.size, 0);

/** Adds changes of later blocks; what was there stays as it is for readers of earlier states. */
function grow(base: Moves, moved: readonly MovedRecord[]): Moves {
  if (moved.length === 0) return base;
  const held = new Map(base.held);
  for (const [code, rows] of groupBy(moved, (row) => row.standard_code))
    held.set(code, growOne(base.held.get(code) ?? nobody, rows));
  return { ...base, held };
}

function growOne(base: HeldFigures, rows: readonly MovedRecord[]): HeldFigures {
  const moved = new Map(base.moved);
  let { holders, heldTotal } = base;
  for (const row of rows) {
    const before = moved.get(row.address) ?? sumOfParts(row.closed, row.closed_high);
    const after = before + sumOfParts(row.delta, row.delta_high);
    moved.set(row.address, after);
    holders += Number(after > 0n) - Number(before > 0n);
    heldTotal += amountOfSum(after) - amountOfSum(before);
  }
  return { moved, holders, heldTotal };
}

function allHeld(closed: readonly ClosedRecord[], moves: Moves): Map<number, HeldFigures> {
  const all = new Map(moves.held);
  for (const row of closed) {
    const { holders, heldTotal, moved } = moves.held.get(row.standard_code) ?? nobody;
    all.set(row.standard_code, {
      holders: Number(row.holders) + holders,
      heldTotal: sumOfParts(row.held, row.held_high) + heldTotal,
      moved,
    });
  }
  return all;
}

const countsOf = (row: ClosedRecord | RowOf<'token_counts'>, seenCodes: readonly number[]): TokenCounts => ({
  standardCode: row.standard_code,
  seenCodes,
  transfers: Number(row.transfer_count),
  firstSeen: row.first_seen,
  firstBlock: Number(row.first_block),
  lastBlock: Number(row.last_block),
});

/** @param closed by the first event of each standard */
function countsOfAll(closed: readonly ClosedRecord[]): TokenCounts | undefined {
  const [first, ...others] = closed.map((row) => countsOf(row, [row.standard_code]));
  return others.reduce<TokenCounts | undefined>(together, first);
}

/** Of a part and one that began later. */
function together(earlier: TokenCounts | undefined, later: TokenCounts | undefined): TokenCounts | undefined {
  if (!earlier || !later) return earlier ?? later;
  return {
    ...earlier,
    seenCodes: [...new Set([...earlier.seenCodes, ...later.seenCodes])],
    transfers: earlier.transfers + later.transfers,
    lastBlock: Math.max(earlier.lastBlock, later.lastBlock),
  };
}
