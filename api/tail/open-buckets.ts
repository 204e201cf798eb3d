/**
 * Figures of the buckets that are not closed yet, kept in memory and grown block by block: a new head costs the reading of
 * its own row, not of all since midnight. What is held is bounded; a longer stretch is left to the same sums in SQL.
 */
import { chunksOf } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, isBackfilled, snapshotParameters } from '#sql/snapshot.ts';
import { Cache } from '../cache/cache.ts';
import { bucketStart, type FixedResolution, fixedSeconds } from '../terms/buckets.ts';
import type { Figures } from '../terms/figures.ts';
import { type Actor, type BlockFigures, readBlockFigures } from './block-figures.ts';
import { OpenBucket } from './open-bucket.ts';

/** Bounds of what is held: 60 MB at most. */
export interface Bounds {
  readonly blocks: number;
  readonly transactions: number;
  /** Parts taken, once a block. */
  readonly actors: number;
}

const defaultBounds: Bounds = { blocks: 100_000, transactions: 100_000, actors: 300_000 };
/** Blocks that are read at once, and those that are read unseen: of more it is asked first how much they hold. */
const [blocksAtOnce, blocksUnseen] = [5_000, 20];
/** Addresses that are looked up at once: they travel in the address of a request. */
const lookUpAddresses = 4_000;

export type OpenSeries = Readonly<Record<FixedResolution, ReadonlyMap<number, Figures>>>;

interface Held {
  readonly reorgGeneration: number;
  /** Version of the newest state it was asked for. */
  version: number;
  /** First block. */
  readonly from: number;
  /** Bucket starts from which on short buckets are kept. */
  readonly hoursFrom: number;
  readonly buckets: Readonly<Record<FixedResolution, Map<number, OpenBucket>>>;
  /** Everybody who is known to have taken that part, by partKey. */
  readonly known: Set<string>;
  /** Newest block; `from - 1` before the first. */
  through: number;
  transactions: number;
  actors: number;
}

const partKey = ({ kind, address }: Actor) => `${kind} ${address}`;

export class OpenBuckets {
  readonly #series = new Cache<OpenSeries | undefined>('open_buckets');
  #held: Held | undefined;
  /** The stretch that was found to be too long. */
  #tooLong = '';
  #last: Promise<unknown> = Promise.resolve();
  readonly database: Database;
  readonly bounds: Bounds;

  constructor(database: Database, bounds: Bounds = defaultBounds) {
    this.database = database;
    this.bounds = bounds;
  }

  /**
   * Figures from a block to the head of a state.
   * @param from first block of no closed day
   * @returns undefined where they are not held: history is not whole, the stretch is too long, or the state is of the past
   */
  series(state: ChainState, from: number): Promise<OpenSeries | undefined> {
    return this.#series.of(`live@${from}`, state, () => {
      const next = this.#last.then(() => this.#seriesOf(state, Math.max(from, state.startBlock)));
      this.#last = next.catch(() => {
        this.#held = undefined;
      });
      return next;
    });
  }

  async #seriesOf(state: ChainState, from: number): Promise<OpenSeries | undefined> {
    if (!isBackfilled(state) || state.quarantined.some((block) => block >= from) || state.head < from) return undefined;
    const isPast = state.version < (this.#held?.version ?? 0);
    const stretch = `${state.reorgGeneration}:${from}`;
    if (isPast || state.head - from >= this.bounds.blocks || this.#tooLong === stretch) return undefined;
    const held = await this.#advance(state, from);
    if (held && !this.#isTooMuch(held)) return seriesOf(held, state.hourThrough);
    if (held) this.#tooLong = stretch;
    this.#held = undefined;
    return undefined;
  }

  /** @returns undefined where rows of blocks are missing, as they are when the state went by meanwhile */
  async #advance(state: ChainState, from: number): Promise<Held | undefined> {
    if (this.#held?.reorgGeneration !== state.reorgGeneration || this.#held.from !== from)
      this.#held = nothing(state, from);
    const held = this.#held;
    held.version = state.version;
    if (state.head - held.through > blocksUnseen) await this.#foresee(state, held);
    while (held.through < state.head && !this.#isTooMuch(held)) {
      const [first, last] = [held.through + 1, Math.min(held.through + blocksAtOnce, state.head)];
      const blocks = await readBlockFigures(this.database, state, first, last);
      if (!isWhole(blocks, first, last, state.startBlock)) return undefined;
      await this.#learn(held, blocks);
      for (const block of blocks) append(held, block);
    }
    return held;
  }

  /** Says that it is too much before it is read. */
  async #foresee(state: ChainState, held: Held): Promise<void> {
    const reach = { ...snapshotParameters(state), from_block: held.through + 1, to_block: state.head };
    const { transactions, parts } = await this.database.readOne('open_sizes', reach);
    const isTooMuch = this.#isTooMuch({ transactions: Number(transactions), actors: Number(parts) });
    if (isTooMuch) held.transactions = Number.POSITIVE_INFINITY;
  }

  #isTooMuch({ transactions, actors }: Pick<Held, 'transactions' | 'actors'>): boolean {
    return transactions > this.bounds.transactions || actors > this.bounds.actors;
  }

  /** Marks everybody in the blocks who took the same part below the first block. */
  async #learn({ known, from }: Held, blocks: readonly BlockFigures[]): Promise<void> {
    const strangers = blocks.flatMap(({ actors }) => actors.filter((actor) => !known.has(partKey(actor))));
    const addresses = [...new Set(strangers.map(({ address }) => address.slice(2)))];
    for (const some of chunksOf(addresses, lookUpAddresses)) {
      const parameters = { addresses: some, before_block: from };
      for (const actor of await this.database.readBinary('known_actors', parameters)) known.add(partKey(actor));
    }
  }
}

const nothing = ({ reorgGeneration, hourThrough, version }: ChainState, from: number): Held => ({
  reorgGeneration,
  version,
  from,
  hoursFrom: hourThrough,
  known: new Set(),
  buckets: { '5min': new Map(), hour: new Map(), day: new Map() },
  through: from - 1,
  transactions: 0,
  actors: 0,
});

/** In one unbroken row, and the first with the time since the block before it, unless that is not indexed. */
function isWhole(blocks: readonly BlockFigures[], first: number, last: number, startBlock: number): boolean {
  const isUnbroken = blocks.length === last - first + 1 && blocks.every(({ number }, i) => number === first + i);
  return isUnbroken && (first === startBlock || blocks[0]?.samples.interval.length === 1);
}

/** Adds the block behind the last one to its buckets. */
function append(held: Held, block: BlockFigures): void {
  const newcomers = block.actors.filter((actor) => !held.known.has(partKey(actor)));
  for (const actor of newcomers) held.known.add(partKey(actor));
  for (const resolution of Object.keys(fixedSeconds) as FixedResolution[]) {
    if (resolution !== 'day' && block.time < held.hoursFrom) continue;
    const start = bucketStart(resolution, block.time);
    const bucket = held.buckets[resolution].get(start) ?? new OpenBucket();
    bucket.add(block, newcomers);
    held.buckets[resolution].set(start, bucket);
  }
  held.through = block.number;
  held.transactions += Number(block.figures.counts.transaction_count);
  held.actors += block.actors.length;
}

/** What the buckets hold now; short ones that were closed meanwhile are let go. */
function seriesOf({ buckets }: Held, hourThrough: number): OpenSeries {
  const figures = (resolution: FixedResolution) =>
    new Map([...buckets[resolution]].map(([start, bucket]) => [start, bucket.figures()]));
  for (const short of ['5min', 'hour'] as const)
    for (const start of buckets[short].keys()) if (start < hourThrough) buckets[short].delete(start);
  return { '5min': figures('5min'), hour: figures('hour'), day: figures('day') };
}
