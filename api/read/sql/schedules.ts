/** Schedules of saved queries, and results of their runs. @source docs/sql.md#scheduled-queries */

import PQueue from 'p-queue';
import { isoTimeFromMs } from '#chain/codec/iso-time.ts';
import { known } from '#runtime/known.ts';
import type { ServiceKey } from '#runtime/service-key.ts';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { countNetworkPlaces, hashNetwork } from '../account/network-share.ts';
import { healthyReceiver, parseReceiver, type ReceiverState, writeReceiver } from '../account/webhook.ts';
import type { Column } from './shown-columns.ts';

export const scheduleMinutes = { min: 10, max: 44_640 } as const;
const mostSchedules = { perOwner: 10, all: 500 } as const;
/** Stored results per query. A further result replaces the oldest. */
export const keptResults = 100;
export const maxStoredRows = 10_000;
export const maxStoredBytes = 256 << 10;

export interface Schedule extends ReceiverState {
  readonly queryId: string;
  readonly owner: string;
  /** Keyed hash of the creator's network; empty: unknown or private. */
  readonly network: string;
  readonly everyMinutes: number;
  /** Webhook for the results; empty: none. */
  readonly url: string;
  /** Next run, Unix ms. */
  readonly nextMs: number;
  /** Results of runs up to this time are not sent again, Unix ms. */
  readonly sentMs: number;
  readonly version: number;
}

export interface ResultInfo {
  /** Scheduled time of the run, Unix ms. */
  readonly runMs: number;
  /** Query version. */
  readonly number: number;
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly rowCount: number;
  /** Why the query failed; empty: success. */
  readonly error: string;
}

export interface StoredResult extends ResultInfo {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly unknown[])[];
}

export const describeRun = (queryId: string, run: ResultInfo) => ({
  runAt: isoTimeFromMs(run.runMs),
  version: run.number,
  asOf: run.error === '' ? { block: run.blockNumber, hash: run.blockHash } : null,
  rowCount: run.rowCount,
  error: run.error === '' ? null : run.error,
  path: `/api/v1/sql/saved/${queryId}/results/${run.runMs}`,
});

/** Returns the start of the last run. Runs start when the Unix time is a multiple of the interval. */
export const lastRun = (everyMinutes: number, nowMs: number): number => nowMs - (nowMs % (everyMinutes * 60_000));

export const nextRun = (everyMinutes: number, nowMs: number): number =>
  lastRun(everyMinutes, nowMs) + everyMinutes * 60_000;

export class Schedules {
  readonly database: Database;
  readonly #serviceKey: ServiceKey;
  /** One at a time, so that concurrent changes do not exceed the limits. */
  readonly #changes = new PQueue({ concurrency: 1 });

  constructor(database: Database, serviceKey: ServiceKey) {
    this.database = database;
    this.#serviceKey = serviceKey;
  }

  /** Returns the schedules of an identity or a query, or all. */
  async list({ owner = '', queryId = '' } = {}): Promise<Schedule[]> {
    const rows = await this.database.read('sql_schedules', { owner, query_id: queryId });
    return rows.map((row) => ({
      queryId: row.query_id,
      owner: row.owner,
      network: row.network,
      everyMinutes: row.every_minutes,
      url: row.url,
      nextMs: Number(row.next_ms),
      sentMs: Number(row.sent_ms),
      ...parseReceiver(row),
      version: Number(row.version),
    }));
  }

  /**
   * Sets or replaces the schedule of a query. Results of earlier runs are not sent.
   * @param address IP address of the creator
   * @throws ApiProblem bad_query, rate_limited if there are too many schedules
   */
  set(
    queryId: string,
    owner: string,
    address: string,
    runs: Pick<Schedule, 'everyMinutes' | 'url'>,
  ): Promise<Schedule> {
    const network = hashNetwork(this.#serviceKey, address);
    return this.#changes.add(() => this.#set({ queryId, owner, network, ...runs }));
  }

  async #set(given: Pick<Schedule, 'queryId' | 'owner' | 'network' | 'everyMinutes' | 'url'>): Promise<Schedule> {
    const { queryId, owner, network, everyMinutes } = given;
    const all = await this.list();
    const others = all.filter((one) => one.queryId !== queryId);
    if (others.filter((one) => one.owner === owner).length >= mostSchedules.perOwner)
      throw new ApiProblem('bad_query', `an identity may schedule at most ${mostSchedules.perOwner} queries`);
    const mostOfNetwork = countNetworkPlaces(mostSchedules.all, mostSchedules.perOwner);
    if (network !== '' && others.filter((one) => one.network === network).length >= mostOfNetwork)
      throw new ApiProblem('rate_limited', `a network may have at most ${mostOfNetwork} schedules: delete one first`);
    if (others.length >= mostSchedules.all)
      throw new ApiProblem('rate_limited', `this service runs at most ${mostSchedules.all} schedules: try again later`);
    const now = Date.now();
    const version = all.find((one) => one.queryId === queryId)?.version ?? 0;
    const times = { nextMs: nextRun(everyMinutes, now), sentMs: now };
    const schedule = { ...given, ...times, ...healthyReceiver, version: newVersion(version) };
    await this.#write(schedule, 0);
    return schedule;
  }

  /** Stores the progress of a schedule. A concurrent change by the owner has a higher version and wins. */
  async saveProgress(schedule: Schedule): Promise<void> {
    await this.#write({ ...schedule, version: schedule.version + 1 }, 0);
  }

  /** Returns false if the owner changed or removed the schedule since it was read. */
  async isCurrent({ queryId, version }: Schedule): Promise<boolean> {
    return (await this.list({ queryId }))[0]?.version === version;
  }

  async remove(schedule: Schedule): Promise<void> {
    await this.#write({ ...schedule, version: newVersion(schedule.version) }, 1);
  }

  /** Returns the secret that signs notifications. @source Standard Webhooks */
  secret(queryId: string): string {
    return `whsec_${this.#serviceKey.derive(`sql webhook ${queryId}`).toString('base64')}`;
  }

  /** Returns results without rows, newest first. @param afterMs only later runs */
  async results(queryId: string, limit: number, afterMs = 0): Promise<ResultInfo[]> {
    const rows = await this.database.read('sql_results', { query_id: queryId, after_ms: afterMs, limit });
    return rows.map(parseInfo);
  }

  async result(queryId: string, runMs: number): Promise<StoredResult | undefined> {
    const [row] = await this.database.read('sql_result', { query_id: queryId, run_ms: runMs });
    return row && { ...parseInfo(row), columns: JSON.parse(row.columns), rows: JSON.parse(row.rows) };
  }

  /** Replaces the result of the same run, or the oldest result if `keptResults` are stored. */
  async addResult(queryId: string, result: StoredResult): Promise<void> {
    const slot = await this.#chooseSlot(queryId, result.runMs);
    const rows = JSON.stringify(result.rows);
    const w = new RowWriter(rows.length + 1_024);
    w.text(queryId);
    w.uint8(slot);
    w.uint64(result.runMs);
    w.uint32(result.number);
    w.uint64(result.blockNumber);
    for (const text of [result.blockHash, JSON.stringify(result.columns), rows]) w.text(text);
    w.uint64(result.rowCount);
    w.text(result.error);
    w.uint64(Date.now());
    await this.database.insertRowBinary('sql_results', w.view());
  }

  async #chooseSlot(queryId: string, runMs: number): Promise<number> {
    const stored = await this.database.read('sql_results', { query_id: queryId, after_ms: 0, limit: keptResults });
    const same = stored.find((row) => Number(row.run_ms) === runMs);
    if (same) return same.slot;
    const used = new Set(stored.map(({ slot }) => slot));
    const free = Array.from({ length: keptResults }, (_, slot) => slot).find((slot) => !used.has(slot));
    return free ?? known(stored.at(-1), 'the oldest result').slot;
  }

  async #write(schedule: Schedule, isRemoved: number): Promise<void> {
    const w = new RowWriter(1_024);
    w.text(schedule.queryId);
    w.text(schedule.owner);
    w.uint32(schedule.everyMinutes);
    w.text(schedule.url);
    w.uint64(schedule.nextMs);
    w.uint64(schedule.sentMs);
    writeReceiver(w, schedule);
    w.uint8(isRemoved);
    w.uint64(schedule.version);
    w.text(schedule.network);
    await this.database.insertRowBinary('sql_schedules', w.view());
  }
}

const newVersion = (version: number): number => Math.max(Date.now(), version + 1);

interface InfoRow {
  readonly run_ms: string;
  readonly number: number;
  readonly block_number: string;
  readonly block_hash: string;
  readonly row_count: string;
  readonly error: string;
}

const parseInfo = (row: InfoRow): ResultInfo => ({
  runMs: Number(row.run_ms),
  number: row.number,
  blockNumber: Number(row.block_number),
  blockHash: row.block_hash,
  rowCount: Number(row.row_count),
  error: row.error,
});
