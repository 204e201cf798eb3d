/**
 * Caches open chart buckets (current hours and days) and adds each new block: requests need not read all rows since
 * midnight.
 */
import { splitIntoChunks } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, isBackfilled, snapshotParameters } from '#sql/snapshot.ts';
import { Cache } from '../cache/cache.ts';
import { bucketStart, type FixedResolution, fixedSeconds } from '../terms/buckets.ts';
import type { Figures } from '../terms/figures.ts';
import { type Actor, type BlockFigures, readBlockFigures } from './block-figures.ts';
import { OpenBucket } from './open-bucket.ts';

/** Limits of the cached blocks. The defaults allow about 60 MB. */
export interface Bounds {
  readonly blocks: number;
  readonly transactions: number;
  /** Active addresses; an address counts once per block and role. */
  readonly actors: number;
}

const defaultBounds: Bounds = { blocks: 100_000, transactions: 100_000, actors: 300_000 };
const [blocksAtOnce, uncheckedBlocks] = [5_000, 20];
/** Maximum addresses per query, because they are in the URL. */
const lookUpAddresses = 4_000;

export type OpenSeries = Readonly<Record<FixedResolution, ReadonlyMap<number, Figures>>>;

interface CachedBuckets {
  readonly reorgGeneration: number;
  version: number;
  readonly from: number;
  /** Start of the first cached 5-minute or hour bucket, Unix seconds. */
  readonly hoursFrom: number;
  readonly buckets: Readonly<Record<FixedResolution, Map<number, OpenBucket>>>;
  /** Addresses with their role that were active before. */
  readonly known: Set<string>;
  /** Newest cached block; `from - 1` if there is none. */
  through: number;
  transactions: number;
  actors: number;
}

/** Estimated bytes of a bucket in memory. Measuring would sort all samples. */
export const bucketBytes = 3_000;
const measureSeries = (series: OpenSeries | undefined) =>
  Object.values(series ?? {}).reduce((bytes, { size }) => bytes + size * bucketBytes, 0);

const partKey = ({ kind, address }: Actor) => `${kind} ${address}`;

export class OpenBuckets {
  readonly #series = new Cache<OpenSeries | undefined>('open_buckets', measureSeries);
  #cached: CachedBuckets | undefined;
  /** Range that last exceeded the limits: reorg generation and first block. */
  #tooLong = '';
  #last: Promise<unknown> = Promise.resolve();
  readonly database: Database;
  readonly bounds: Bounds;

  constructor(database: Database, bounds: Bounds = defaultBounds) {
    this.database = database;
    this.bounds = bounds;
  }

  /** @returns undefined if blocks are missing, the range is too long, or the cache is newer than `state` */
  series(state: ChainState, from: number): Promise<OpenSeries | undefined> {
    return this.#series.of(`live@${from}`, state, () => {
      const next = this.#last.then(() => this.#readSeries(state, Math.max(from, state.startBlock)));
      this.#last = next.catch(() => {
        this.#cached = undefined;
      });
      return next;
    });
  }

  async #readSeries(state: ChainState, from: number): Promise<OpenSeries | undefined> {
    if (!isBackfilled(state) || state.quarantined.some((block) => block >= from) || state.head < from) return undefined;
    const isPast = state.version < (this.#cached?.version ?? 0);
    const range = `${state.reorgGeneration}:${from}`;
    if (isPast || state.head - from >= this.bounds.blocks || this.#tooLong === range) return undefined;
    const cached = await this.#advance(state, from);
    if (cached && !this.#exceedsBounds(cached)) return toSeries(cached, state.hourThrough);
    if (cached) this.#tooLong = range;
    this.#cached = undefined;
    return undefined;
  }

  async #advance(state: ChainState, from: number): Promise<CachedBuckets | undefined> {
    if (this.#cached?.reorgGeneration !== state.reorgGeneration || this.#cached.from !== from)
      this.#cached = createEmpty(state, from);
    const cached = this.#cached;
    cached.version = state.version;
    if (state.head - cached.through > uncheckedBlocks) await this.#checkSize(state, cached);
    while (cached.through < state.head && !this.#exceedsBounds(cached)) {
      const [first, last] = [cached.through + 1, Math.min(cached.through + blocksAtOnce, state.head)];
      const blocks = await readBlockFigures(this.database, state, first, last);
      if (!isComplete(blocks, first, last, state.startBlock)) return undefined;
      await this.#loadKnownActors(cached, blocks);
      for (const block of blocks) append(cached, block);
    }
    return cached;
  }

  async #checkSize(state: ChainState, cached: CachedBuckets): Promise<void> {
    const reach = { ...snapshotParameters(state), from_block: cached.through + 1, to_block: state.head };
    const { transactions, parts } = await this.database.readOne('open_sizes', reach);
    const isTooLarge = this.#exceedsBounds({ transactions: Number(transactions), actors: Number(parts) });
    if (isTooLarge) cached.transactions = Number.POSITIVE_INFINITY;
  }

  #exceedsBounds({ transactions, actors }: Pick<CachedBuckets, 'transactions' | 'actors'>): boolean {
    return transactions > this.bounds.transactions || actors > this.bounds.actors;
  }

  async #loadKnownActors({ known, from }: CachedBuckets, blocks: readonly BlockFigures[]): Promise<void> {
    const unknownActors = blocks.flatMap(({ actors }) => actors.filter((actor) => !known.has(partKey(actor))));
    const addresses = [...new Set(unknownActors.map(({ address }) => address.slice(2)))];
    for (const some of splitIntoChunks(addresses, lookUpAddresses)) {
      const parameters = { addresses: some, before_block: from };
      for (const actor of await this.database.readBinary('known_actors', parameters)) known.add(partKey(actor));
    }
  }
}

const createEmpty = ({ reorgGeneration, hourThrough, version }: ChainState, from: number): CachedBuckets => ({
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

/** Requires all blocks, and the block before the first one for its interval (except at `startBlock`). */
function isComplete(blocks: readonly BlockFigures[], first: number, last: number, startBlock: number): boolean {
  const isUnbroken = blocks.length === last - first + 1 && blocks.every(({ number }, i) => number === first + i);
  return isUnbroken && (first === startBlock || blocks[0]?.isNext === true);
}

function append(cached: CachedBuckets, block: BlockFigures): void {
  const newcomers = block.actors.filter((actor) => !cached.known.has(partKey(actor)));
  for (const actor of newcomers) cached.known.add(partKey(actor));
  for (const resolution of Object.keys(fixedSeconds) as FixedResolution[]) {
    if (resolution !== 'day' && block.time < cached.hoursFrom) continue;
    const start = bucketStart(resolution, block.time);
    const bucket = cached.buckets[resolution].get(start) ?? new OpenBucket();
    bucket.add(block, newcomers);
    cached.buckets[resolution].set(start, bucket);
  }
  cached.through = block.number;
  cached.transactions += Number(block.figures.counts.transaction_count);
  cached.actors += block.actors.length;
}

function toSeries({ buckets }: CachedBuckets, hourThrough: number): OpenSeries {
  const figures = (resolution: FixedResolution) =>
    new Map([...buckets[resolution]].map(([start, bucket]) => [start, bucket.figures()]));
  for (const short of ['5min', 'hour'] as const)
    for (const start of buckets[short].keys()) if (start < hourThrough) buckets[short].delete(start);
  return { '5min': figures('5min'), hour: figures('hour'), day: figures('day') };
}
