/** Sums the blocks of a chart bucket, for example an hour, that is not stored yet. */
import { known } from '#runtime/known.ts';
import {
  type ActorFigures,
  type ActorKind,
  actorKinds,
  type Figures,
  joinFigures,
  type RankName,
  rankNames,
} from '../terms/figures.ts';
import type { BlockFigures, SampleName } from './block-figures.ts';

/** Quantiles by name: interval_p95 is the 95 % quantile of the block interval. */
const ranks = rankNames.map((name) => {
  const at = name.lastIndexOf('_p');
  return { name, sample: name.slice(0, at) as SampleName, share: Number(name.slice(at + 2)) / 100 };
});

export class OpenBucket {
  #sums: Figures | undefined;
  readonly #samples: Record<SampleName, bigint[]> = { interval: [], value: [], gas_price: [], fee: [] };
  readonly #active = new Map<ActorKind, Set<string>>(actorKinds.map((kind) => [kind, new Set()]));
  readonly #fresh = new Map<ActorKind, bigint>();
  #figures: Figures | undefined;

  /** @param newcomers addresses that were never active before this block */
  add(block: BlockFigures, newcomers: BlockFigures['actors']): void {
    this.#figures = undefined;
    this.#sums = this.#sums ? joinFigures([this.#sums, block.figures], new Map()) : block.figures;
    for (const name of Object.keys(this.#samples) as SampleName[]) this.#samples[name].push(...block.samples[name]);
    for (const { kind, address } of block.actors) this.#active.get(kind)?.add(address);
    for (const { kind } of newcomers) this.#fresh.set(kind, (this.#fresh.get(kind) ?? 0n) + 1n);
  }

  /** Returns statistics that later blocks do not change. @throws Error before the first block */
  figures(): Figures {
    this.#figures ??= this.#makeFigures();
    return this.#figures;
  }

  #makeFigures(): Figures {
    const { counts, extremes } = known(this.#sums, 'a block of the bucket');
    const actors = actorKinds.map((kind): [ActorKind, ActorFigures] => [
      kind,
      { active: BigInt(this.#active.get(kind)?.size ?? 0), fresh: this.#fresh.get(kind) ?? 0n },
    ]);
    return {
      counts,
      extremes,
      ranks: createRanks(this.#samples),
      actors: Object.fromEntries(actors) as Figures['actors'],
    };
  }
}

/** Sorts samples on first access: few charts need quantiles. */
function createRanks(samples: Readonly<Record<SampleName, readonly bigint[]>>): Figures['ranks'] {
  const values: Record<SampleName, Quantiles> = {
    interval: createQuantiles(samples.interval),
    value: createQuantiles(samples.value),
    gas_price: createQuantiles(samples.gas_price),
    fee: createQuantiles(samples.fee),
  };
  const getters = ranks.map(({ name, sample, share }): [RankName, PropertyDescriptor] => [
    name,
    { enumerable: true, get: () => values[sample](share) },
  ]);
  return Object.defineProperties({}, Object.fromEntries(getters)) as Figures['ranks'];
}

type Quantiles = (share: number) => bigint | null;

/** Quantiles like ClickHouse's quantileExact; null without samples. */
function createQuantiles(samples: readonly bigint[]): Quantiles {
  const size = samples.length;
  let sorted: bigint[] | undefined;
  return (share) => {
    sorted ??= samples.slice(0, size).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    return sorted[Math.floor(size * share)] ?? null;
  };
}
