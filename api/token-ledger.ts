/**
 * Figures of a token up to a state: those of closed eras, read once an era, and what moved since, kept in memory and grown by
 * the rows of new blocks alone.
 */
import { LRUCache } from 'lru-cache';
import { hexDigits } from '#chain/codec/hex.ts';
import { eraBlocks } from '#sql/chain-tables.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, eraParameters, isWhole } from '#sql/snapshot.ts';
import { getStatement, type Statements } from '#sql/statements.ts';
import { PerEra } from './per-era.ts';
import { PerState } from './per-state.ts';

const knownTokens = 500;
/** Tokens whose moves are kept from state to state, and holders of one up to which they are. */
const keptTokens = 100;
const mostMoved = 50_000;

export interface TokenCounts {
  /** By the shape of its first event: 1 ERC-20, 2 ERC-721, 3 ERC-1155. */
  readonly standardCode: number;
  readonly transfers: number;
  readonly firstBlock: number;
  /** Time of the first block, Unix seconds. */
  readonly firstSeen: number;
  readonly lastBlock: number;
}

export interface TokenFigures extends TokenCounts {
  /** Addresses with a balance above 0. */
  readonly holders: number;
  /** Sum of those balances, smallest unit. */
  readonly heldTotal: bigint;
  /** Balance now of everyone whose balance has changed since the last closed era. */
  readonly moved: ReadonlyMap<string, bigint>;
}

/** What moved behind the last closed era, through a block. */
interface Moves {
  readonly epoch: number;
  readonly eraThrough: number;
  readonly through: number;
  readonly counts: TokenCounts | undefined;
  readonly balances: ReadonlyMap<string, bigint>;
  /** Change of the number of holders and of the sum of their balances. */
  readonly holders: number;
  readonly held: bigint;
}

interface CountsRecord {
  standard_code: number;
  transfer_count: string;
  first_block: string;
  first_seen: number;
  last_block: string;
}

interface ClosedRecord extends CountsRecord {
  eras: string;
  holders: string;
  held: string;
}

interface MovedRecord {
  address: string;
  delta: string;
  /** Balance as of the last closed era. */
  closed: string;
}

export class TokenLedger {
  readonly figures = new PerState<TokenFigures | undefined>(knownTokens);
  readonly #closed = new PerEra<ClosedRecord>(knownTokens);
  readonly #moves = new LRUCache<string, Moves>({ max: keptTokens });

  constructor(
    readonly database: Database,
    readonly statements: Statements,
  ) {}

  /** @returns undefined where the contract never emitted a transfer */
  of(state: ChainState, address: string): Promise<TokenFigures | undefined> {
    const token = hexDigits(address);
    return this.figures.of(token, state, () => this.#read(state, token));
  }

  async #read(state: ChainState, token: string): Promise<TokenFigures | undefined> {
    const [closed, moves] = await Promise.all([
      this.#closed.of(token, state, () => this.#readClosed(state, token)),
      this.#readMoves(state, token),
    ]);
    const counts = together(Number(closed.eras) > 0 ? countsOf(closed) : undefined, moves.counts);
    return (
      counts && {
        ...counts,
        ...{ holders: Number(closed.holders) + moves.holders, heldTotal: BigInt(closed.held) + moves.held },
        moved: moves.balances,
      }
    );
  }

  async #readClosed(state: ChainState, token: string): Promise<ClosedRecord> {
    const [row] = await this.database.read<ClosedRecord>(getStatement(this.statements, 'closed_token'), {
      ...{ era_through: state.eraThrough, era_blocks: eraBlocks, token },
    });
    return row!;
  }

  async #readMoves(state: ChainState, token: string): Promise<Moves> {
    const kept = this.#moves.get(token);
    const base = kept && isPartOf(kept, state) ? kept : nothingIn(state);
    if (base.through >= state.head) return base;
    const parameters = { ...eraParameters(state), token, from_block: base.through + 1 };
    const read = <T>(name: string) => this.database.read<T>(getStatement(this.statements, name), parameters);
    const [[counted], moved] = await Promise.all([
      read<CountsRecord>('token_counts'),
      read<MovedRecord>('moved_holders'),
    ]);
    const counts = Number(counted!.transfer_count) > 0 ? countsOf(counted!) : undefined;
    const moves = { ...grow(base, moved), through: state.head, counts: together(base.counts, counts) };
    const newest = this.#moves.get(token);
    const isNewer = !newest || isBehind(newest, moves);
    if (isWhole(state) && isNewer && moves.balances.size <= mostMoved) this.#moves.set(token, moves);
    return moves;
  }
}

function isPartOf({ epoch, eraThrough, through }: Moves, state: ChainState): boolean {
  return isWhole(state) && epoch === state.epoch && eraThrough === state.eraThrough && through <= state.head;
}

const isBehind = (one: Moves, other: Moves) =>
  (one.epoch - other.epoch || one.eraThrough - other.eraThrough || one.through - other.through) < 0;

const nothingIn = ({ epoch, eraThrough }: ChainState): Moves => ({
  ...{ epoch, eraThrough, through: eraThrough - 1, counts: undefined },
  ...{ balances: new Map(), holders: 0, held: 0n },
});

/** Adds changes of later blocks; what was there stays as it is for readers of earlier states. */
function grow(base: Moves, moved: readonly MovedRecord[]): Moves {
  if (moved.length === 0) return base;
  const balances = new Map(base.balances);
  let { holders, held } = base;
  for (const { address, delta, closed } of moved) {
    const before = balances.get(address) ?? BigInt(closed);
    const after = before + BigInt(delta);
    balances.set(address, after);
    holders += Number(after > 0n) - Number(before > 0n);
    held += positive(after) - positive(before);
  }
  return { ...base, balances, holders, held };
}

const positive = (balance: bigint) => (balance > 0n ? balance : 0n);

const countsOf = (row: CountsRecord): TokenCounts => ({
  ...{ standardCode: row.standard_code, transfers: Number(row.transfer_count), firstSeen: row.first_seen },
  ...{ firstBlock: Number(row.first_block), lastBlock: Number(row.last_block) },
});

/** Of a stretch and the one behind it. */
function together(earlier: TokenCounts | undefined, later: TokenCounts | undefined): TokenCounts | undefined {
  if (!earlier || !later) return earlier ?? later;
  return { ...earlier, transfers: earlier.transfers + later.transfers, lastBlock: later.lastBlock };
}
