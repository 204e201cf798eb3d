/**
 * Transactions by hash: the place of each first, then its row and its logs beside each other, all by key; one statement for
 * place and row takes twice as long. Settled ones that were asked for lately are kept: a deposit is looked at again and again
 * while it gains confirmations, and after.
 */

import { hexDigits } from '#chain/codec/hex.ts';
import { distinctBy, firstOf, groupBy, lastOf } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import { Cache } from '../../cache/cache.ts';
import type { UnfinalizedReader } from '../../tail/unfinalized.ts';
import type { DetailRecord, LogRecord } from '../../terms/records.ts';
import { Batched } from './batched.ts';
import { type Placed, placeKey } from './paging.ts';

/** Logs of one reply; the next ones are asked for behind the last. */
export const maxLogs = 5_000;

interface FoundTransaction {
  readonly row: DetailRecord;
  /** In order; none where they were not asked for. */
  readonly logs: readonly LogRecord[];
}

/** Logs of a transaction, at most `maxLogs`. */
interface LogPage {
  readonly logs: readonly LogRecord[];
  /** Index in the block of the last one where more follow. */
  readonly nextAfter: number | null;
}

/** The first page, of a transaction that was found. */
export function firstLogs({ row, logs }: FoundTransaction): LogPage {
  const last = logs.at(-1);
  return { logs, nextAfter: last && row.log_count > logs.length ? last.log_index : null };
}

type Place = BinaryRowOf<'places_of_hashes'>;

/** Of a transaction or a log beside its data, about. */
const rowBytes = 1_500;

export class TransactionReader {
  /** What an audit finds to differ from the node is stored anew under another epoch; nothing is told for longer than a minute either. */
  readonly #finalized = new Cache<FoundTransaction>('transactions', sizeOf);
  readonly #places = new Batched<string, Place[]>((state, hashes) => this.#placesOf(state, hashes), 100);
  readonly #rows = new Batched<Placed, DetailRecord[]>((state, places) => this.#rowsAt(state, places), 50);
  readonly #logs = new Batched<Placed, LogRecord[]>((state, places) => this.#logsAt(state, places), 20);
  readonly database: Database;
  readonly unfinalized: UnfinalizedReader;

  constructor(database: Database, unfinalized: UnfinalizedReader) {
    this.database = database;
    this.unfinalized = unfinalized;
  }

  /** @returns undefined where it is not on the chain of that state */
  async find(state: ChainState, hash: string): Promise<DetailRecord | undefined> {
    return (await this.#known(state, hash, false))?.row;
  }

  /** The same with its logs. */
  findWithLogs(state: ChainState, hash: string): Promise<FoundTransaction | undefined> {
    return this.#known(state, hash, true);
  }

  /** The next page of a transaction's logs. @param after index in the block of the last log that is known */
  async logsAfter(state: ChainState, { block_number, tx_index }: Placed, after: number): Promise<LogPage> {
    const rows = await this.database.readBinary('logs_of_transaction_after', {
      ...snapshotParameters(state),
      block_number,
      tx_index,
      after,
      limit: 2 * (maxLogs + 1),
    });
    const all = distinctBy(rows, byIndex);
    const logs = all.slice(0, maxLogs);
    return { logs, nextAfter: all.length > maxLogs ? lastOf(logs).log_index : null };
  }

  async #known(state: ChainState, hash: string, withLogs: boolean): Promise<FoundTransaction | undefined> {
    const key = `${withLogs} ${hash.toLowerCase()}`;
    const known = this.#finalized.get(key, state);
    // a state that is a moment older may not have it yet
    if (known && Number(known.row.block_number) <= state.finalized) return known;
    const found = await this.#lookUp(state, hash, withLogs);
    if (found?.row.final === 1 && !known) this.#finalized.set(key, state, found);
    return found;
  }

  async #lookUp(state: ChainState, hash: string, withLogs: boolean): Promise<FoundTransaction | undefined> {
    const reach = await this.unfinalized.stateForHash(state, hash);
    for (const place of await this.#places.of(reach, hash)) {
      const [[row], logs] = await Promise.all([
        this.#rows.of(reach, place),
        withLogs ? this.#logs.of(reach, place) : Promise.resolve([]),
      ]);
      if (row?.hash === hash.toLowerCase()) return { row, logs };
    }
    return undefined;
  }

  /** Of each hash the places that it may be at: of one more than one only where 8 bytes collide. */
  async #placesOf(state: ChainState, hashes: readonly string[]): Promise<Place[][]> {
    const prefixes = hashes.map((hash) => hexDigits(hash).slice(0, 16));
    const parameters = { ...snapshotParameters(state), prefix: firstOf(prefixes), prefixes };
    const asked = prefixes.length === 1 ? 'one' : 'many';
    const rows = await this.database.readBinary('places_of_hashes', parameters, [asked]);
    const byPrefix = groupBy(
      distinctBy(rows, (row) => `${row.hash_prefix} ${placeKey(row)}`),
      (row) => row.hash_prefix,
    );
    return prefixes.map((prefix) => byPrefix.get(`0x${prefix}`) ?? []);
  }

  /** Of each place its row, or none. */
  async #rowsAt(state: ChainState, places: readonly Placed[]): Promise<DetailRecord[][]> {
    const rows = await this.database.readBinary('transactions_in_full', parametersOf(state, places));
    const byPlace = groupBy(distinctBy(rows, placeKey), placeKey);
    return places.map((place) => byPlace.get(placeKey(place)) ?? []);
  }

  async #logsAt(state: ChainState, places: readonly Placed[]): Promise<LogRecord[][]> {
    // each may be there twice while a repeated insert is not merged yet
    const rows = await this.database.readBinary('logs_of_transactions', {
      ...parametersOf(state, places),
      limit: 2 * maxLogs,
    });
    const byPlace = groupBy(rows, placeKey);
    return places.map((place) => distinctBy(byPlace.get(placeKey(place)) ?? [], byIndex).slice(0, maxLogs));
  }
}

const parametersOf = (state: ChainState, places: readonly Placed[]) => ({
  ...snapshotParameters(state),
  blocks: places.map((place) => Number(place.block_number)),
  indexes: places.map((place) => place.tx_index),
});

const byIndex = ({ log_index }: LogRecord) => String(log_index);

function sizeOf({ row, logs }: FoundTransaction): number {
  return rowBytes + row.input.length + logs.reduce((sum, { data }) => sum + rowBytes + data.length, 0);
}
