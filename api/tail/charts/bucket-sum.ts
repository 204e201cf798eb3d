/** Figures of one open bucket, which only grow: the same sums as the fragment bucket_stats makes in SQL. */
import {
  type ActorFigures,
  type ActorKind,
  actorKinds,
  type CountName,
  countNames,
  type Figures,
  type RankName,
} from '../../terms/figures.ts';
import { type Actor, kindOf } from './block-actors.ts';
import type { LiveBlock, TransactionRow } from './live-rows.ts';

type Extremes = Figures['extremes'];
type Ranks = Figures['ranks'];

/** What must be kept one by one, since ranks can't be added up. */
interface Samples {
  readonly intervals: bigint[];
  readonly values: bigint[];
  readonly prices: bigint[];
  readonly fees: bigint[];
}

export class BucketSum {
  readonly #counts = Object.fromEntries(countNames.map((name) => [name, 0n])) as Record<CountName, bigint>;
  readonly #samples: Samples = { intervals: [], values: [], prices: [], fees: [] };
  readonly #active = new Map<ActorKind, Set<Actor>>(actorKinds.map((kind) => [kind, new Set()]));
  readonly #fresh = new Map<ActorKind, bigint>();
  #intervalMax = 0n;
  #peakTpsMilli = 0n;
  #priceMin: bigint | null = null;
  #priceMax: bigint | null = null;

  /** @param interval seconds since the block before; undefined where that is not known */
  add(live: LiveBlock, interval: number | undefined, actors: ReadonlySet<Actor>, newcomers: readonly Actor[]): void {
    this.#addBlock(live, interval);
    for (const transaction of live.transactions) this.#addTransaction(transaction);
    for (const { standard, moved } of live.transfers) {
      this.#count('token_transfer_count', BigInt(moved));
      if (standard === 'erc20') this.#count('erc20_transfer_count', BigInt(moved));
    }
    this.#count('user_op_count', BigInt(live.operations.length));
    for (const actor of actors) this.#active.get(kindOf(actor))!.add(actor);
    for (const actor of newcomers) this.#fresh.set(kindOf(actor), (this.#fresh.get(kindOf(actor)) ?? 0n) + 1n);
  }

  /** As it is now; later blocks don't change what was given. */
  figures(): Figures {
    const hasTransactions = this.#counts.transaction_count > 0n;
    const extremes: Extremes = {
      interval_max: this.#intervalMax,
      peak_tps_milli: this.#peakTpsMilli,
      gas_price_max: hasTransactions ? this.#priceMax : null,
      gas_price_min: hasTransactions ? this.#priceMin : null,
    };
    const actors = actorKinds.map((kind): [ActorKind, ActorFigures] => [
      kind,
      { active: BigInt(this.#active.get(kind)!.size), fresh: this.#fresh.get(kind) ?? 0n },
    ]);
    return {
      counts: { ...this.#counts },
      extremes,
      ranks: ranksOf(this.#samples),
      actors: Object.fromEntries(actors) as Figures['actors'],
    };
  }

  #addBlock({ block }: LiveBlock, interval: number | undefined): void {
    const transactions = BigInt(block.transaction_count);
    this.#count('block_count', 1n);
    if (transactions === 0n) this.#count('empty_block_count', 1n);
    this.#count('gas_used', BigInt(block.gas_used));
    this.#count('gas_limit', BigInt(block.gas_limit));
    this.#count('fees', BigInt(block.fees));
    this.#count('burned', BigInt(block.burned));
    this.#count('block_bytes', BigInt(block.size));
    this.#count('log_count', BigInt(block.log_count));
    if (interval !== undefined) {
      this.#count('interval_count', 1n);
      this.#count('interval_seconds', BigInt(interval));
      this.#intervalMax = larger(this.#intervalMax, BigInt(interval));
      this.#samples.intervals.push(BigInt(interval));
    }
    // a block lasts at least a second
    this.#peakTpsMilli = larger(this.#peakTpsMilli, (transactions * 1000n) / BigInt(Math.max(interval ?? 1, 1)));
  }

  #addTransaction(row: TransactionRow): void {
    const [value, price, fee, gas] = [BigInt(row.value), BigInt(row.gas_price), BigInt(row.fee), BigInt(row.gas_used)];
    const stands = row.status !== 0;
    this.#count('transaction_count', 1n);
    this.#count('authorization_count', BigInt(row.authorization_count));
    this.#count('gas_price_sum', price);
    if (!stands) {
      this.#count('failed_count', 1n);
      this.#count('failed_gas_used', gas);
      this.#count('failed_fees', fee);
    }
    if (stands && row.contract_address !== null) this.#count('creation_count', 1n);
    if (row.to !== null && Number(row.input_bytes) >= 4) this.#count('call_count', 1n);
    if (row.to !== null && Number(row.input_bytes) === 0) this.#count('plain_count', 1n);
    if (stands && value > 0n) {
      this.#count('native_transfer_count', 1n);
      this.#count('native_value', value);
      this.#samples.values.push(value);
    }
    this.#priceMin = this.#priceMin === null || price < this.#priceMin ? price : this.#priceMin;
    this.#priceMax = this.#priceMax === null || price > this.#priceMax ? price : this.#priceMax;
    this.#samples.prices.push(price);
    this.#samples.fees.push(fee);
  }

  #count(name: CountName, more: bigint): void {
    this.#counts[name] += more;
  }
}

const larger = (a: bigint, b: bigint) => (a > b ? a : b);

/** Which samples a rank is of, and at what share of them. */
const rankedBy: Readonly<Record<RankName, readonly [samples: keyof Samples, share: number]>> = {
  interval_p95: ['intervals', 0.95],
  value_p50: ['values', 0.5],
  value_p99: ['values', 0.99],
  gas_price_p50: ['prices', 0.5],
  gas_price_p90: ['prices', 0.9],
  gas_price_p99: ['prices', 0.99],
  fee_p50: ['fees', 0.5],
  fee_p90: ['fees', 0.9],
  fee_p99: ['fees', 0.99],
};

/** Ranks of the samples as they are now, sorted when the first of them is asked for: few charts need them. */
function ranksOf({ intervals, values, prices, fees }: Samples): Ranks {
  const ranked: Record<keyof Samples, Ranked> = {
    intervals: sortedWhenAsked(intervals),
    values: sortedWhenAsked(values),
    prices: sortedWhenAsked(prices),
    fees: sortedWhenAsked(fees),
  };
  const getters = Object.entries(rankedBy).map(([name, [samples, share]]) => [
    name,
    { enumerable: true, get: () => ranked[samples](share) },
  ]);
  return Object.defineProperties({}, Object.fromEntries(getters)) as Ranks;
}

type Ranked = (share: number) => bigint | null;

/** Value at a share of the sorted samples, as quantileExact takes it; null where there is none. */
function sortedWhenAsked(samples: readonly bigint[]): Ranked {
  const size = samples.length;
  let sorted: bigint[] | undefined;
  return (share) => {
    sorted ??= samples.slice(0, size).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    return sorted[Math.floor(size * share)] ?? null;
  };
}
