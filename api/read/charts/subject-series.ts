/**
 * Amounts of one subject (a producer, a method, a token, an account) by bucket, exact to the head: closed days, the closed hours
 * behind them, and rows behind those. Amounts add up, so that what lies unclosed is never more than an hour and its settling.
 */
import { chunksOf, firstOf } from '#runtime/lists.ts';
import { rollupWindowBlocks } from '#sql/chain-tables.ts';
import { snapshotParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { bucketStart, type FixedResolution, fixedSeconds, isFixed } from '../../terms/buckets.ts';
import { type SeriesRequest, windowOf } from './own-series.ts';

/** Statements over rows by the measure that they give, which is the column measure of subject_buckets. */
const liveOf = {
  validator_blocks: 'validator_blocks_live',
  method_transactions: 'method_transactions_live',
  token_transfers: 'token_transfers_live',
  token_holders: 'token_holders_live',
  received_value: 'received_value_live',
} as const;
export type Measure = keyof typeof liveOf;

type Amounts = ReadonlyMap<number, bigint>;
type AmountRecord = RowOf<'subjects_closed'>;

type Asked = Pick<SeriesRequest, 'deps' | 'state'> & {
  readonly measure: Measure;
  /** 40 hex digits each. */
  readonly subjects: readonly string[];
};

/** Subjects in one statement: bounds the length of its parameters. */
const subjectsAtOnce = 5_000;

/** Sums over the subjects by start of the bucket; buckets with nothing are left out. */
export async function readAmounts(
  request: SeriesRequest,
  measure: Measure,
  subjects: readonly string[],
): Promise<Amounts> {
  const { deps, state, resolution } = request;
  const { from, to } = windowOf(request);
  const base = isFixed(resolution) ? resolution : 'day';
  const amounts: (readonly [number, bigint])[] = [];
  for (const some of chunksOf(subjects, subjectsAtOnce)) {
    const asked = { deps, state, measure, subjects: some };
    amounts.push(...(await readBase(asked, base, from, to)));
  }
  return folded(amounts, (time) => bucketStart(resolution, time));
}

/** The same, added up from the start of the chain on: a value for every bucket. */
export async function readGrowth(request: SeriesRequest, measure: Measure): Promise<Amounts> {
  const { deps, state, resolution, starts, subject } = request;
  const asked = { deps, state, measure, subjects: [subject] };
  const isShort = resolution === '5min' || resolution === 'hour';
  const from = firstOf(starts);
  const day = bucketStart('day', from);
  const [own, days, rest] = await Promise.all([
    readAmounts(request, measure, [subject]),
    from === 0 ? new Map<number, bigint>() : readBase(asked, 'day', 0, (isShort ? day : from) - 1),
    isShort && day < from ? readBase(asked, resolution, day, from - 1) : new Map<number, bigint>(),
  ]);
  let total = [...days.values(), ...rest.values()].reduce((sum, amount) => sum + amount, 0n);
  return new Map(
    starts.map((time) => {
      total += own.get(time) ?? 0n;
      return [time, total];
    }),
  );
}

/** @param to last moment, inclusive; buckets that begin from `from` to `to` */
async function readBase(asked: Asked, base: FixedResolution, from: number, to: number): Promise<Amounts> {
  const { dayThrough, hourThrough } = asked.state;
  const closed =
    base === 'day'
      ? [
          readClosed(asked, 'day', from, Math.min(to, dayThrough - 1)),
          readClosed(asked, 'hour', Math.max(from, dayThrough), Math.min(to, hourThrough - 1)),
        ]
      : [readClosed(asked, base, from, Math.min(to, hourThrough - 1))];
  const parts = await Promise.all([...closed, to >= hourThrough ? readLive(asked, base) : []]);
  const isWithin = ({ time }: AmountRecord) => time >= from && time <= to;
  const rows = parts.flat().filter(isWithin);
  return folded(
    rows.map(({ time, total }) => [time, BigInt(total)] as const),
    (time) => bucketStart(base, time),
  );
}

function readClosed(
  { deps, measure, subjects }: Asked,
  resolution: FixedResolution,
  from: number,
  to: number,
): Promise<AmountRecord[]> | AmountRecord[] {
  if (from > to) return [];
  const parameters = { measure, resolution, subjects, from_time: from, to_time: to };
  return deps.database.read('subjects_closed', parameters);
}

async function readLive(
  { deps, state, measure, subjects }: Asked,
  resolution: FixedResolution,
): Promise<AmountRecord[]> {
  const from = await deps.series.liveFrom('hour', state);
  return deps.database.read(liveOf[measure], {
    ...snapshotParameters(state),
    subjects,
    from_block: from,
    bucket_seconds: fixedSeconds[resolution],
    era_blocks: rollupWindowBlocks,
    base_block: Math.floor(Math.min(from, state.rollupThrough) / rollupWindowBlocks) * rollupWindowBlocks,
  });
}

function folded(amounts: Iterable<readonly [number, bigint]>, startOf: (time: number) => number): Amounts {
  const sums = new Map<number, bigint>();
  for (const [time, amount] of amounts) {
    const start = startOf(time);
    sums.set(start, (sums.get(start) ?? 0n) + amount);
  }
  return sums;
}
