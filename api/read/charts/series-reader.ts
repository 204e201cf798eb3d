/**
 * Reads chart statistics by time bucket. Caches closed (stored) buckets until another bucket closes, open buckets until
 * the index changes.
 */

import type { Database } from '#sql/client.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { Cache } from '../../cache/cache.ts';
import { bucketBytes, OpenBuckets } from '../../tail/open-buckets.ts';
import { bucketStart, type FixedResolution, fixedSeconds, isFixed, type Resolution } from '../../terms/buckets.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { type ActorKind, type Figures, joinFigures, toFigures } from '../../terms/figures.ts';

/** Statistics by bucket start, Unix seconds; oldest first, without empty buckets. */
export type Series = ReadonlyMap<number, Figures>;

export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** Largest value of ClickHouse's DateTime, Unix seconds. */
const endOfTime = 4_294_967_295;
export const always: TimeWindow = { from: 0, to: endOfTime };

export class SeriesReader {
  readonly #closed = new Cache<Series>('series_closed');
  readonly #live = new Cache<Series>('series_open', ({ size }) => size * bucketBytes);
  readonly #liveFroms = new Cache<number>('open_from');
  readonly database: Database;
  readonly openBuckets: OpenBuckets;

  constructor(database: Database, openBuckets = new OpenBuckets(database)) {
    this.database = database;
    this.openBuckets = openBuckets;
  }

  /**
   * @param window start of the first and of the last bucket, Unix seconds
   * @param withActive true: also count distinct addresses in open weeks, months and years
   */
  async read(resolution: Resolution, state: ChainState, window: TimeWindow, withActive = false): Promise<Series> {
    const isShort = resolution === '5min' || resolution === 'hour';
    const [closed, live] = await Promise.all([
      this.#readClosed(resolution, state, isShort ? window : always),
      isFixed(resolution) ? this.open(resolution, state) : this.#openPeriods(resolution, state, withActive),
    ]);
    const isWithin = (time: number) => time >= window.from && time <= window.to;
    return new Map([...closed, ...live].filter(([time]) => isWithin(time)));
  }

  /** Includes all earlier buckets, for running totals. */
  async readWithEarlier(resolution: Resolution, state: ChainState, { from, to }: TimeWindow): Promise<Series> {
    const isShort = resolution === '5min' || resolution === 'hour';
    const ownFrom = isShort ? bucketStart('day', from) : 0;
    const [series, earlier] = await Promise.all([
      this.read(resolution, state, { from: ownFrom, to }),
      isShort ? this.read('day', state, { from: 0, to: ownFrom - 1 }) : new Map<number, Figures>(),
    ]);
    return new Map([...earlier, ...series]);
  }

  open(resolution: FixedResolution, state: ChainState): Promise<Series> {
    return this.#live.of(resolution, state, () => this.#readLiveRows(resolution, state));
  }

  #readClosed(resolution: Resolution, state: ChainState, { from, to }: TimeWindow): Promise<Series> {
    const through = closedThrough(resolution, state);
    const last = Math.min(to, through - 1);
    const fetch = async () => (from > last ? new Map() : this.#fetchClosed(resolution, from, last));
    return this.#closed.of(`${resolution}@${from}@${last}`, state, fetch);
  }

  async #fetchClosed(resolution: Resolution, from: number, last: number): Promise<Series> {
    const window = { resolution, from_time: from, to_time: last };
    const [rows, actors] = await Promise.all([
      this.database.read('chart_closed', window),
      this.database.read('actors_closed', window),
    ]);
    return toFigures(rows, actors);
  }

  #openPeriods(resolution: Resolution, state: ChainState, withActive: boolean): Promise<Series> {
    return this.#live.of(`${resolution}:${withActive}`, state, () => this.#joinDays(resolution, state, withActive));
  }

  async #joinDays(resolution: Resolution, state: ChainState, withActive: boolean): Promise<Series> {
    const start = bucketStart(resolution, state.dayThrough);
    const [days, liveDays, active] = await Promise.all([
      this.#readClosed('day', state, always),
      this.open('day', state),
      withActive ? this.#activeInPeriods(resolution, state) : [],
    ]);
    const parts = new Map<number, Figures[]>();
    for (const [time, figures] of [...days, ...liveDays]) {
      const period = bucketStart(resolution, time);
      if (period >= start) parts.set(period, [...(parts.get(period) ?? []), figures]);
    }
    const actives = new Map<number, Map<ActorKind, bigint>>();
    for (const { time, kind_name, active_count } of active)
      actives.set(time, (actives.get(time) ?? new Map()).set(kind_name, BigInt(active_count)));
    return new Map(
      [...parts].map(([period, figures]) => [period, joinFigures(figures, actives.get(period) ?? new Map())]),
    );
  }

  async #activeInPeriods(period: Resolution, state: ChainState): Promise<RowOf<'active_periods_live'>[]> {
    const from = await this.liveFrom('day', state);
    return this.database.read('active_periods_live', {
      ...snapshotParameters(state),
      period,
      from_block: from,
      day_through: state.dayThrough,
    });
  }

  async #readLiveRows(resolution: FixedResolution, state: ChainState): Promise<Series> {
    const inMemory = await this.openBuckets.series(state, await this.liveFrom('day', state));
    if (inMemory) return inMemory[resolution];
    const from = await this.liveFrom(resolution, state);
    const parameters = { ...snapshotParameters(state), from_block: from };
    const { is_whole } = await this.database.readOne('figures_are_whole', parameters);
    if (is_whole === 0)
      throw new ApiProblem('indexing', 'chart values of the newest blocks are still being computed; try again');
    const window = {
      ...snapshotParameters(state),
      from_block: from,
      bucket_seconds: fixedSeconds[resolution],
    };
    const [rows, actors] = await Promise.all([
      this.database.read('chart_live', window),
      this.database.read('actors_live', window),
    ]);
    return toFigures(rows, actors);
  }

  liveFrom(resolution: FixedResolution, state: ChainState): Promise<number> {
    const closing = resolution === 'day' ? 'day' : 'hour';
    const through = Math.min(closedThrough(closing, state), endOfTime);
    return this.#liveFroms.of(`${closing}@${through}`, state, async () => {
      const row = await this.database.readOne('chart_live_from', { resolution: closing, through });
      return Number(row.live_from);
    });
  }
}

function closedThrough(resolution: Resolution, { hourThrough, dayThrough }: ChainState): number {
  if (resolution === '5min' || resolution === 'hour') return hourThrough;
  return dayThrough === 0 ? 0 : bucketStart(resolution, dayThrough);
}
