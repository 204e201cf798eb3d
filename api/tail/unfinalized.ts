/**
 * Caches account history in unfinalized blocks. Each of these blocks has its own database partition, so a query would
 * open many partitions.
 */

import type { Database } from '#sql/client.ts';
import { type ChainState, finalizedPart } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import type { HistoryRecord } from '../terms/records.ts';

/** Maximum number of rows in memory, about 1 kB each. */
const defaultMaxRows = 50_000;

type Row = BinaryRowOf<'unfinalized_history'>;

/** Counters of an account, from the SQL fragment role_figures; amounts in wei. */
export type RoleFigures = Pick<
  Row | BinaryRowOf<'closed_account'>,
  'sent_count' | 'received_count' | 'log_count' | 'value_in' | 'value_out' | 'fees'
>;

export interface UnfinalizedFigures extends RoleFigures, Pick<HistoryRecord, 'block_number' | 'timestamp'> {}

interface Entry {
  readonly row: HistoryRecord;
  readonly figures: UnfinalizedFigures;
}

interface Known {
  readonly reorgGeneration: number;
  readonly floor: number;
  readonly through: number;
  /** Rows by account, oldest first. */
  readonly history: Map<string, Entry[]>;
  /** Block number by transaction hash. */
  readonly hashes: Map<string, number>;
  readonly rows: number;
  readonly hasTooManyRows: boolean;
}

const createEmpty = (): Known => ({
  reorgGeneration: -1,
  floor: -1,
  through: -1,
  rows: 0,
  hasTooManyRows: false,
  history: new Map(),
  hashes: new Map(),
});

export class UnfinalizedReader {
  #known = createEmpty();
  #reading: Promise<void> | undefined;
  readonly database: Database;
  readonly maxRows: number;

  constructor(database: Database, maxRows = defaultMaxRows) {
    this.database = database;
    this.maxRows = maxRows;
  }

  /** Returns `state`, but without unfinalized blocks if none of them contains the transaction. */
  async getStateForHash(state: ChainState, hash: string): Promise<ChainState> {
    const known = await this.#blocksIn(state);
    if (!known || (known.hashes.get(hash.toLowerCase()) ?? -1) > state.finalized) return state;
    return finalizedPart(state);
  }

  /**
   * Returns `state`, cut after the last unfinalized block in which one of these contracts took part, or else after the
   * finalized block.
   */
  async getStateForEmitters(state: ChainState, addresses: readonly string[]): Promise<ChainState> {
    const known = await this.#blocksIn(state);
    if (!known) return state;
    const blocks = addresses.map((address) => Number(entriesIn(known, state, address).at(-1)?.row.block_number ?? 0));
    return { ...state, head: Math.max(state.finalized, ...blocks) };
  }

  /**
   * Returns the unfinalized blocks in which an account took part, one entry per transaction, lowest block first.
   * @returns undefined in the same cases as historyOf()
   */
  async blocksOf(state: ChainState, address: string): Promise<readonly number[] | undefined> {
    return (await this.#readEntries(state, address))?.map(({ row }) => Number(row.block_number));
  }

  /**
   * Returns an account's transactions in unfinalized blocks, oldest first.
   * @returns undefined if `state` is outdated, or the cache has too many rows
   */
  async historyOf(state: ChainState, address: string): Promise<readonly HistoryRecord[] | undefined> {
    return (await this.#readEntries(state, address))?.map(({ row }) => row);
  }

  /** @returns undefined in the same cases as historyOf() */
  async figuresOf(state: ChainState, address: string): Promise<readonly UnfinalizedFigures[] | undefined> {
    return (await this.#readEntries(state, address))?.map(({ figures }) => figures);
  }

  async #readEntries(state: ChainState, address: string): Promise<readonly Entry[] | undefined> {
    const known = await this.#blocksIn(state);
    return known && entriesIn(known, state, address);
  }

  async #blocksIn(state: ChainState): Promise<Known | undefined> {
    while (isBehind(this.#known, state)) {
      this.#reading ??= this.#advance(state).finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    const known = this.#known;
    const isUsable =
      known.reorgGeneration === state.reorgGeneration && known.floor <= state.finalized && !known.hasTooManyRows;
    return isUsable ? known : undefined;
  }

  async #advance({ reorgGeneration, finalized, head }: ChainState): Promise<void> {
    const isSame = this.#known.reorgGeneration === reorgGeneration;
    if (isSame && this.#known.hasTooManyRows && finalized <= this.#known.floor) {
      // no block was finalized since, so there are still too many rows
      this.#known = { ...this.#known, through: head };
      return;
    }
    const known = isSame && !this.#known.hasTooManyRows ? this.#known : createEmpty();
    const parameters = { finalized: Math.max(known.through, finalized), head, limit: this.maxRows + 1 };
    const rows = await this.database.readBinary('unfinalized_history', parameters);
    const now = { reorgGeneration, floor: Math.max(known.floor, finalized), through: head };
    const next = { ...known, ...extend(known, rows, finalized), ...now };
    const hasTooManyRows = Math.max(next.rows, rows.length) > this.maxRows;
    this.#known = hasTooManyRows ? { ...createEmpty(), ...now, hasTooManyRows } : next;
  }
}

function entriesIn({ history }: Known, { finalized, head }: ChainState, address: string): Entry[] {
  return (history.get(address.toLowerCase()) ?? []).filter(({ row }) => isBetween(row, finalized, head));
}

function isBehind(known: Known, { reorgGeneration, head }: ChainState): boolean {
  return known.reorgGeneration < reorgGeneration || (known.reorgGeneration === reorgGeneration && known.through < head);
}

/** Adds rows to the cached maps in place, because running requests skip blocks above their head. */
function extend(known: Known, added: readonly Row[], finalized: number): Pick<Known, 'history' | 'hashes' | 'rows'> {
  const { history, hashes, ...counters } = finalized > known.floor ? dropFinalized(known, finalized) : known;
  let rows = counters.rows;
  for (const each of [...added].sort(inChainOrder)) {
    const { address, ...entry } = toEntry(each);
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

function dropFinalized(known: Known, finalized: number): Pick<Known, 'history' | 'hashes' | 'rows'> {
  const history = new Map<string, Entry[]>();
  let rows = 0;
  for (const [address, own] of known.history) {
    const remaining = own.filter(({ row }) => Number(row.block_number) > finalized);
    if (remaining.length > 0) history.set(address, remaining);
    rows += remaining.length;
  }
  return { history, hashes: new Map([...known.hashes].filter(([, block]) => block > finalized)), rows };
}

function toEntry(all: Row): Entry & { readonly address: string } {
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
