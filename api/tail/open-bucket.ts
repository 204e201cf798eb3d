/** Figures of one bucket that is not closed, which only grow: sums of what its blocks add. */
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

/** Which samples a rank is of, and at what share of them: interval_p95 is the value at 95 of 100 of `interval`. */
const ranked = rankNames.map((name) => {
  const at = name.lastIndexOf('_p');
  return { name, sample: name.slice(0, at) as SampleName, share: Number(name.slice(at + 2)) / 100 };
});

export class OpenBucket {
  #sums: Figures | undefined;
  readonly #samples: Record<SampleName, bigint[]> = { interval: [], value: [], gas_price: [], fee: [] };
  readonly #active = new Map<ActorKind, Set<string>>(actorKinds.map((kind) => [kind, new Set()]));
  readonly #fresh = new Map<ActorKind, bigint>();

  /** @param newcomers actors of the block that took their part for the first time */
  add(block: BlockFigures, newcomers: BlockFigures['actors']): void {
    this.#sums = this.#sums ? joinFigures([this.#sums, block.figures], new Map()) : block.figures;
    for (const name of Object.keys(this.#samples) as SampleName[]) this.#samples[name].push(...block.samples[name]);
    for (const { kind, address } of block.actors) this.#active.get(kind)?.add(address);
    for (const { kind } of newcomers) this.#fresh.set(kind, (this.#fresh.get(kind) ?? 0n) + 1n);
  }

  /** As it is now; later blocks don't change what was given. @throws Error before the first block */
  figures(): Figures {
    const { counts, extremes } = known(this.#sums, 'a block of the bucket');
    const actors = actorKinds.map((kind): [ActorKind, ActorFigures] => [
      kind,
      { active: BigInt(this.#active.get(kind)?.size ?? 0), fresh: this.#fresh.get(kind) ?? 0n },
    ]);
    return {
      counts,
      extremes,
      ranks: ranksOf(this.#samples),
      actors: Object.fromEntries(actors) as Figures['actors'],
    };
  }
}

/** Ranks of the samples as they are now, sorted when the first of them is asked for: few charts need them. */
function ranksOf(samples: Readonly<Record<SampleName, readonly bigint[]>>): Figures['ranks'] {
  const values: Record<SampleName, Ranked> = {
    interval: sortedWhenAsked(samples.interval),
    value: sortedWhenAsked(samples.value),
    gas_price: sortedWhenAsked(samples.gas_price),
    fee: sortedWhenAsked(samples.fee),
  };
  const getters = ranked.map(({ name, sample, share }): [RankName, PropertyDescriptor] => [
    name,
    { enumerable: true, get: () => values[sample](share) },
  ]);
  return Object.defineProperties({}, Object.fromEntries(getters)) as Figures['ranks'];
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
