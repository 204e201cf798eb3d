/**
 * Who and what occurs in the blocks above the finalized one. Each of these blocks is a partition of its own in every table;
 * with their history in memory a look-up opens none of them. Kept from state to state: only blocks that were not read before
 * are read, unless a reorg took some away.
 */

import type { Database } from '#sql/client.ts';
import { type ChainState, finalizedPart } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import type { HistoryRecord } from '../terms/records.ts';

/** Rows that are kept, about 1 kB each; where there are more, the tables are asked. */
const mostRows = 50_000;

type Row = BinaryRowOf<'unfinalized_history'>;

/** Columns of the fragment role_figures, of a row or of an era; wei. */
export type RoleFigures = Pick<
  Row | BinaryRowOf<'closed_account'>,
  'sent_count' | 'received_count' | 'log_count' | 'value_in' | 'value_out' | 'fees'
>;

/** What a row of history adds to the figures of its account. */
export interface UnfinalizedFigures extends RoleFigures, Pick<HistoryRecord, 'block_number' | 'timestamp'> {}

/** A row of history, and the same as figures. */
interface Entry {
  readonly row: HistoryRecord;
  readonly figures: UnfinalizedFigures;
}

/** History of the blocks above `floor` up to `through`. */
interface Known {
  readonly reorgGeneration: number;
  readonly floor: number;
  readonly through: number;
  /** By account, oldest first. */
  readonly history: Map<string, Entry[]>;
  /** The block of each transaction. */
  readonly hashes: Map<string, number>;
  readonly rows: number;
  /** The blocks have more rows than are kept. */
  readonly isTooFull: boolean;
}

const nothing = (): Known => ({
  reorgGeneration: -1,
  floor: -1,
  through: -1,
  rows: 0,
  isTooFull: false,
  history: new Map(),
  hashes: new Map(),
});

export class UnfinalizedReader {
  #known = nothing();
  #reading: Promise<void> | undefined;
  readonly database: Database;
  readonly maxRows: number;

  constructor(database: Database, maxRows = mostRows) {
    this.database = database;
    this.maxRows = maxRows;
  }

  /** The state to look a transaction up in: without the unsettled blocks where none of them has it. */
  async stateForHash(state: ChainState, hash: string): Promise<ChainState> {
    const known = await this.#about(state);
    if (!known || (known.hashes.get(hash.toLowerCase()) ?? -1) > state.finalized) return state;
    return finalizedPart(state);
  }

  /**
   * History of an account in the unsettled blocks of a state, oldest first.
   * @returns undefined where it is not kept: of a state from before a reorg, or of blocks too full
   */
  async historyOf(state: ChainState, address: string): Promise<readonly HistoryRecord[] | undefined> {
    return (await this.#entriesOf(state, address))?.map(({ row }) => row);
  }

  /** What each row of that history adds to figures. @returns undefined as historyOf */
  async figuresOf(state: ChainState, address: string): Promise<readonly UnfinalizedFigures[] | undefined> {
    return (await this.#entriesOf(state, address))?.map(({ figures }) => figures);
  }

  async #entriesOf(state: ChainState, address: string): Promise<readonly Entry[] | undefined> {
    const known = await this.#about(state);
    const entries = known?.history.get(address.toLowerCase()) ?? [];
    return known && entries.filter(({ row }) => isBetween(row, state.finalized, state.head));
  }

  /** What is known of the unsettled blocks of that very state. */
  async #about(state: ChainState): Promise<Known | undefined> {
    while (isBehind(this.#known, state)) {
      this.#reading ??= this.#readOn(state).finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    const known = this.#known;
    const isUsable =
      known.reorgGeneration === state.reorgGeneration && known.floor <= state.finalized && !known.isTooFull;
    return isUsable ? known : undefined;
  }

  async #readOn({ reorgGeneration, finalized, head }: ChainState): Promise<void> {
    const isSame = this.#known.reorgGeneration === reorgGeneration;
    if (isSame && this.#known.isTooFull && finalized <= this.#known.floor) {
      // nothing was settled since: there is no more room than before
      this.#known = { ...this.#known, through: head };
      return;
    }
    const known = isSame && !this.#known.isTooFull ? this.#known : nothing();
    const parameters = { finalized: Math.max(known.through, finalized), head, limit: this.maxRows + 1 };
    const rows = await this.database.readBinary('unfinalized_history', parameters);
    const now = { reorgGeneration, floor: Math.max(known.floor, finalized), through: head };
    const next = { ...known, ...extend(known, rows, finalized), ...now };
    const isTooFull = Math.max(next.rows, rows.length) > this.maxRows;
    this.#known = isTooFull ? { ...nothing(), ...now, isTooFull } : next;
  }
}

function isBehind(known: Known, { reorgGeneration, head }: ChainState): boolean {
  return known.reorgGeneration < reorgGeneration || (known.reorgGeneration === reorgGeneration && known.through < head);
}

/**
 * Adds rows of later blocks, and forgets those of settled ones. What was known is added to where it is, which no reader of an
 * earlier state minds, and copied where something is forgotten.
 */
function extend(known: Known, added: readonly Row[], finalized: number): Pick<Known, 'history' | 'hashes' | 'rows'> {
  const { history, hashes, ...kept } = finalized > known.floor ? without(known, finalized) : known;
  let rows = kept.rows;
  for (const each of [...added].sort(inChainOrder)) {
    const { address, ...entry } = entryOf(each);
    const own = history.get(address) ?? [];
    const last = own.at(-1)?.row;
    if (last && inChainOrder(last, entry.row) === 0) continue;
    own.push(entry);
    rows++;
    history.set(address, own);
    hashes.set(entry.row.tx_hash, Number(entry.row.block_number));
  }
  return { history, hashes, rows };
}

function without(known: Known, finalized: number): Pick<Known, 'history' | 'hashes' | 'rows'> {
  const history = new Map<string, Entry[]>();
  let rows = 0;
  for (const [address, own] of known.history) {
    const kept = own.filter(({ row }) => Number(row.block_number) > finalized);
    if (kept.length > 0) history.set(address, kept);
    rows += kept.length;
  }
  return { history, hashes: new Map([...known.hashes].filter(([, block]) => block > finalized)), rows };
}

function entryOf(all: Row): Entry & { readonly address: string } {
  const { address, sent_count, received_count, log_count, value_in, value_out, fees, ...row } = all;
  const { block_number, timestamp } = row;
  const figures = { block_number, timestamp, sent_count, received_count, log_count, value_in, value_out, fees };
  return { address, row, figures };
}

function inChainOrder(a: HistoryRecord, b: HistoryRecord): number {
  return Number(a.block_number) - Number(b.block_number) || a.tx_index - b.tx_index;
}

function isBetween({ block_number }: HistoryRecord, finalized: number, head: number): boolean {
  return Number(block_number) > finalized && Number(block_number) <= head;
}
