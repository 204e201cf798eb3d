import { LRUCache } from 'lru-cache';
import type { CacheSpec } from './cache-spec.ts';
import { type CacheName, caches } from './caches.ts';
import { roughBytes } from './rough-bytes.ts';

export interface CacheContext {
  readonly version?: number;
  /** Newest visible block. It is part of a snapshot, because some readers see only finalized blocks. */
  readonly head?: number;
  readonly headHash?: string;
  readonly reorgGeneration?: number;
  readonly rollupThrough?: number;
}

interface Entry<V> {
  readonly value: V | Promise<V>;
  readonly isMade: boolean;
  readonly bytes: number;
}

/** Longer lists bypass the cache, because one would displace all other entries. */
export const maxCachedRows = 1_000;

const [entryBytes, draftBytes] = [200, 300];

const buildId = {
  snapshot: (key: string, { version, head, headHash }: CacheContext) => `${key}@${version}@${head}@${headHash}`,
  generation: (key: string, { reorgGeneration, rollupThrough }: CacheContext) =>
    `${key}@${reorgGeneration}@${rollupThrough}`,
  window: (key: string, { reorgGeneration }: CacheContext) => `${key}@${reorgGeneration}`,
  time: (key: string) => key,
} as const;

/** Caches that a benchmark disables, to measure what they save. */
export const idleCaches = new Set<CacheName>();

export class Cache<V> {
  hits = 0;
  misses = 0;
  oversize = 0;
  readonly #id: (key: string, context: CacheContext) => string;
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly name: CacheName;
  readonly measureBytes: (value: V) => number;

  /** @param measureBytes size of a value in bytes; default: an estimate */
  constructor(name: CacheName, measureBytes: (value: V) => number = roughBytes) {
    this.name = name;
    this.measureBytes = measureBytes;

    const { scope, mebibytes, ttlMs = 0 }: CacheSpec = caches[name];
    this.#id = buildId[scope];
    this.#entries = new LRUCache({ maxSize: mebibytes << 20, sizeCalculation: ({ bytes }) => bytes, ttl: ttlMs });
    instances.add(new WeakRef(this as Cache<unknown>));
  }

  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  /** Shares one computation between concurrent calls. Does not cache errors. */
  of(key: string, context: CacheContext, make: () => Promise<V>): Promise<V> {
    if (this.#isIdle) return make();
    const id = this.#id(key, context);
    const known = this.#entries.get(id);
    this.#record(known !== undefined);
    if (known) return Promise.resolve(known.value);
    const value = make();
    const draft: Entry<V> = { value, isMade: false, bytes: entryBytes + id.length + draftBytes };
    this.#entries.set(id, draft);
    value.then(
      (made) => {
        if (this.#entries.peek(id) === draft) this.#put(id, made);
      },
      () => {
        if (this.#entries.peek(id) === draft) this.#entries.delete(id);
      },
    );
    return value;
  }

  get(key: string, context: CacheContext): V | undefined {
    const entry = this.#isIdle ? undefined : this.#entries.get(this.#id(key, context));
    this.#record(entry?.isMade === true);
    return entry?.isMade ? (entry.value as V) : undefined;
  }

  set(key: string, context: CacheContext, value: V): void {
    if (!this.#isIdle) this.#put(this.#id(key, context), value);
  }

  take(key: string, context: CacheContext): V | undefined {
    const value = this.get(key, context);
    this.delete(key, context);
    return value;
  }

  delete(key: string, context: CacheContext): void {
    this.#entries.delete(this.#id(key, context));
  }

  get #isIdle(): boolean {
    return idleCaches.has(this.name);
  }

  #put(id: string, value: V): void {
    const bytes = entryBytes + id.length + Math.round(this.measureBytes(value));
    if (bytes > this.#entries.maxSize) this.oversize++;
    this.#entries.set(id, { value, isMade: true, bytes });
  }

  #record(isHit: boolean): void {
    if (isHit) this.hits++;
    else this.misses++;
  }
}

/** For values that do not depend on the index. */
export const anywhere: CacheContext = {};

const instances = new Set<WeakRef<Cache<unknown>>>();

interface CacheFigures {
  hits: number;
  misses: number;
  oversize: number;
  bytes: number;
}

/** Returns hits, misses and sizes of this process's caches, by name. */
export function cacheFigures(): Map<CacheName, CacheFigures> {
  const figures = new Map<CacheName, CacheFigures>();
  for (const reference of instances) {
    const cache = reference.deref();
    if (!cache) {
      instances.delete(reference);
      continue;
    }
    const sum = figures.get(cache.name) ?? { hits: 0, misses: 0, oversize: 0, bytes: 0 };
    figures.set(cache.name, sum);
    sum.hits += cache.hits;
    sum.misses += cache.misses;
    sum.oversize += cache.oversize;
    sum.bytes += cache.bytes;
  }
  return figures;
}
