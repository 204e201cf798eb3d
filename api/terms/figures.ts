/** Statistics of a chart bucket, from the tables chart_buckets and actor_buckets. */
import type { RowOf } from '#sql/statement-types.ts';

const countNames = [
  'block_count',
  'empty_block_count',
  'gas_used',
  'gas_limit',
  'fees',
  'burned',
  'block_bytes',
  'log_count',
  'interval_count',
  'interval_seconds',
  'transaction_count',
  'failed_count',
  'failed_gas_used',
  'failed_fees',
  'creation_count',
  'call_count',
  'plain_count',
  'authorization_count',
  'native_transfer_count',
  'native_value',
  'gas_price_sum',
  'token_transfer_count',
  'erc20_transfer_count',
  'user_op_count',
] as const;
export type CountName = (typeof countNames)[number];

/** For weeks, months and years, the maximum of the days. */
const maxNames = ['interval_max', 'peak_tps_milli', 'gas_price_max'] as const;
/** Percentiles of a month cannot be computed from those of its days. */
export const rankNames = [
  'interval_p95',
  'value_p50',
  'value_p99',
  'gas_price_p50',
  'gas_price_p90',
  'gas_price_p99',
  'fee_p50',
  'fee_p90',
  'fee_p99',
] as const;
export type ExtremeName = (typeof maxNames)[number] | 'gas_price_min';
export type RankName = (typeof rankNames)[number];

export const actorKinds = ['sender', 'address', 'builder', 'token_sender', 'wallet', 'paymaster', 'bundler'] as const;
export type ActorKind = (typeof actorKinds)[number];

export interface ActorFigures {
  readonly active: bigint;
  /** Number of addresses whose first activity was in this bucket. */
  readonly fresh: bigint;
}

export interface Figures {
  readonly counts: Readonly<Record<CountName, bigint>>;
  readonly extremes: Readonly<Record<ExtremeName, bigint | null>>;
  readonly ranks: Readonly<Record<RankName, bigint | null>>;
  readonly actors: Readonly<Record<ActorKind, ActorFigures>>;
}

type FigureRecord = { readonly [column: string]: unknown };

const noFigures: ActorFigures = { active: 0n, fresh: 0n };
const noActors = Object.fromEntries(actorKinds.map((kind) => [kind, noFigures])) as Record<ActorKind, ActorFigures>;
const pick = <N extends string>(names: readonly string[], value: (name: N) => bigint | null) =>
  Object.fromEntries(names.map((name) => [name, value(name as N)]));

export function toFigures(
  rows: readonly (FigureRecord & { readonly time: number })[],
  actors: readonly RowOf<'actors_closed'>[],
): Map<number, Figures> {
  const byTime = new Map<number, Record<ActorKind, ActorFigures>>();
  for (const { time, kind_name, active_count, new_count } of actors) {
    const known = byTime.get(time) ?? { ...noActors };
    known[kind_name] = { active: BigInt(active_count), fresh: BigInt(new_count) };
    byTime.set(time, known);
  }
  return new Map(rows.map((row) => [row.time, figuresOfRow(row, byTime.get(row.time))]));
}

export function figuresOfRow(row: FigureRecord, actors: Figures['actors'] = noActors): Figures {
  const value = (name: string) => (row[name] == null ? null : BigInt(row[name] as string | number | bigint));
  return {
    counts: pick<CountName>(countNames, (name) => value(name) ?? 0n),
    extremes: pick<ExtremeName>([...maxNames, 'gas_price_min'], value),
    ranks: pick<RankName>(rankNames, value),
    actors,
  } as unknown as Figures;
}

/**
 * Combines statistics of several blocks or days.
 * @param active number of distinct addresses; not a sum, because addresses repeat
 */
export function joinFigures(parts: readonly Figures[], active: ReadonlyMap<ActorKind, bigint>): Figures {
  const largest = (values: readonly (bigint | null)[], isBetter: (a: bigint, b: bigint) => boolean) =>
    values.reduce((best, value) => (value !== null && (best === null || isBetter(value, best)) ? value : best), null);
  const extreme = (name: ExtremeName) =>
    largest(
      parts.map((part) => part.extremes[name]),
      name === 'gas_price_min' ? (a, b) => a < b : (a, b) => a > b,
    );
  const sum = (value: (part: Figures) => bigint) => parts.reduce((total, part) => total + value(part), 0n);
  const actors = actorKinds.map((kind) => [
    kind,
    { active: active.get(kind) ?? 0n, fresh: sum((part) => part.actors[kind].fresh) },
  ]);
  return {
    counts: pick<CountName>(countNames, (name) => sum((part) => part.counts[name])),
    extremes: pick<ExtremeName>([...maxNames, 'gas_price_min'], extreme),
    ranks: pick<RankName>(rankNames, () => null),
    actors: Object.fromEntries(actors),
  } as unknown as Figures;
}
