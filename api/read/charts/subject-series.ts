/** Reads series of a validator, method, token or address: stored sums of ended hours and days, plus newer rows. */
import { getFirst, splitIntoChunks } from '#runtime/lists.ts';
import { rollupWindowBlocks } from '#sql/chain-tables.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { bucketStart, type FixedResolution, fixedSeconds, isFixed } from '../../terms/buckets.ts';
import { requestWindow, type SeriesRequest } from './own-series.ts';
import type { SeriesReader } from './series-reader.ts';

const liveStatements = {
  validator_blocks: 'validator_blocks_live',
  method_transactions: 'method_transactions_live',
  token_transfers: 'token_transfers_live',
  token_holders: 'token_holders_live',
  received_value: 'received_value_live',
} as const;
export type Measure = keyof typeof liveStatements;

type Amounts = ReadonlyMap<number, bigint>;
type AmountRecord = RowOf<'subjects_closed'>;

type AmountQuery = Pick<SeriesRequest, 'deps' | 'state'> & {
  readonly measure: Measure;
  readonly subjects: readonly string[];
};

/** More addresses would exceed ClickHouse's limit of a parameter, 128 KiB. */
export const subjectsAtOnce = 2_500;

/** Sums all `subjects` by time bucket, without empty buckets. */
export async function readAmounts(
  request: SeriesRequest,
  measure: Measure,
  subjects: readonly string[],
): Promise<Amounts> {
  const { deps, state, resolution } = request;
  const { from, to } = requestWindow(request);
  const base = isFixed(resolution) ? resolution : 'day';
  const amounts: (readonly [number, bigint])[] = [];
  for (const chunk of splitIntoChunks(subjects, subjectsAtOnce)) {
    const query = { deps, state, measure, subjects: chunk };
    amounts.push(...(await readBase(query, base, from, to)));
  }
  return sumByBucket(amounts, (time) => bucketStart(resolution, time));
}

/** Reads totals since the first block. */
export async function readGrowth(request: SeriesRequest, measure: Measure): Promise<Amounts> {
  const { deps, state, resolution, starts, subject } = request;
  const query = { deps, state, measure, subjects: [subject] };
  const isShort = resolution === '5min' || resolution === 'hour';
  const from = getFirst(starts);
  const day = bucketStart('day', from);
  const [own, days, rest] = await Promise.all([
    readAmounts(request, measure, [subject]),
    from === 0 ? new Map<number, bigint>() : readBase(query, 'day', 0, (isShort ? day : from) - 1),
    isShort && day < from ? readBase(query, resolution, day, from - 1) : new Map<number, bigint>(),
  ]);
  const before = [...days.values(), ...rest.values()].reduce((sum, amount) => sum + amount, 0n);
  return runningTotals(starts, own, before);
}

/** @param before total before the first bucket */
export function runningTotals(starts: readonly number[], amounts: Amounts, before: bigint): Amounts {
  let total = before;
  return new Map(
    starts.map((time) => {
      total += amounts.get(time) ?? 0n;
      return [time, total];
    }),
  );
}

async function readBase(query: AmountQuery, base: FixedResolution, from: number, to: number): Promise<Amounts> {
  const { dayThrough, hourThrough } = query.state;
  const closed =
    base === 'day'
      ? [
          readClosed(query, 'day', from, Math.min(to, dayThrough - 1)),
          readClosed(query, 'hour', Math.max(from, dayThrough), Math.min(to, hourThrough - 1)),
        ]
      : [readClosed(query, base, from, Math.min(to, hourThrough - 1))];
  const parts = await Promise.all([...closed, to >= hourThrough ? readLive(query, base) : []]);
  const isWithin = ({ time }: AmountRecord) => time >= from && time <= to;
  const rows = parts.flat().filter(isWithin);
  return sumByBucket(
    rows.map(({ time, total }) => [time, BigInt(total)] as const),
    (time) => bucketStart(base, time),
  );
}

function readClosed(
  { deps, measure, subjects }: AmountQuery,
  resolution: FixedResolution,
  from: number,
  to: number,
): Promise<AmountRecord[]> | AmountRecord[] {
  if (from > to) return [];
  const parameters = { measure, resolution, subjects, from_time: from, to_time: to };
  return deps.database.read('subjects_closed', parameters);
}

async function readLive(
  { deps, state, measure, subjects }: AmountQuery,
  resolution: FixedResolution,
): Promise<AmountRecord[]> {
  const parameters = await liveParameters(deps.series, state, resolution);
  return deps.database.read(liveStatements[measure], { ...parameters, subjects });
}

/** Returns the parameters of statements that compute figures after the last stored hour. */
export async function liveParameters(series: SeriesReader, state: ChainState, resolution: FixedResolution) {
  const from = await series.liveFrom('hour', state);
  return {
    ...snapshotParameters(state),
    from_block: from,
    bucket_seconds: fixedSeconds[resolution],
    era_blocks: rollupWindowBlocks,
    base_block: Math.floor(Math.min(from, state.rollupThrough) / rollupWindowBlocks) * rollupWindowBlocks,
  };
}

export function sumByBucket(
  amounts: Iterable<readonly [time: number, amount: bigint]>,
  getStart: (time: number) => number = (time) => time,
): Amounts {
  const sums = new Map<number, bigint>();
  for (const [time, amount] of amounts) {
    const start = getStart(time);
    sums.set(start, (sums.get(start) ?? 0n) + amount);
  }
  return sums;
}
