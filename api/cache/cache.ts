/**
 * Values that are kept in memory: each cache has a name, a scope, a bound in bytes, and its figures in /metrics. What they are
 * is listed in caches.ts.
 */
import { LRUCache } from 'lru-cache';
import { type CacheName, type CacheSpec, caches } from './caches.ts';
import { roughBytes } from './rough-bytes.ts';

/** What values depend on beside their key: a state of the chain, or as much of it as the scope asks for. */
export interface CachePlace {
  readonly version?: number;
  readonly headHash?: string;
  readonly reorgGeneration?: number;
  readonly rollupThrough?: number;
}

interface Entry<V> {
  /** While it is being made a promise. */
  readonly value: V | Promise<V>;
  readonly isMade: boolean;
  readonly bytes: number;
}

/** Of an entry beside its key and value; and of a value that is being made. */
const [entryBytes, draftBytes] = [200, 300];

const idOf = {
  snapshot: (key: string, { version, headHash }: CachePlace) => `${key}@${version}@${headHash}`,
  generation: (key: string, { reorgGeneration, rollupThrough }: CachePlace) =>
    `${key}@${reorgGeneration}@${rollupThrough}`,
  window: (key: string, { reorgGeneration }: CachePlace) => `${key}@${reorgGeneration}`,
  time: (key: string) => key,
} as const;

/** Caches that keep nothing, by name: how a bench finds out what one saves. In the service none does so. */
export const idleCaches = new Set<CacheName>();

export class Cache<V> {
  hits = 0;
  misses = 0;
  /** Values that are too large to keep, and so are made again for each request. */
  oversize = 0;
  readonly #id: (key: string, place: CachePlace) => string;
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly name: CacheName;
  readonly sizeOf: (value: V) => number;

  /** @param sizeOf gives the bytes of a value; default: an estimate */
  constructor(name: CacheName, sizeOf: (value: V) => number = roughBytes) {
    this.name = name;
    this.sizeOf = sizeOf;

    const { scope, mebibytes, ttlMs = 0 }: CacheSpec = caches[name];
    this.#id = idOf[scope];
    this.#entries = new LRUCache({ maxSize: mebibytes << 20, sizeCalculation: ({ bytes }) => bytes, ttl: ttlMs });
    instances.add(new WeakRef(this as Cache<unknown>));
  }

  /** Bytes that are held, about. */
  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  /** The value of a key. Requests that come while it is made share it; a failure is not kept. */
  of(key: string, place: CachePlace, make: () => Promise<V>): Promise<V> {
    if (this.#isIdle) return make();
    const id = this.#id(key, place);
    const known = this.#entries.get(id);
    this.#note(known !== undefined);
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

  /** @returns undefined where it is not there, or still being made */
  get(key: string, place: CachePlace): V | undefined {
    const entry = this.#isIdle ? undefined : this.#entries.get(this.#id(key, place));
    this.#note(entry?.isMade === true);
    return entry?.isMade ? (entry.value as V) : undefined;
  }

  set(key: string, place: CachePlace, value: V): void {
    if (!this.#isIdle) this.#put(this.#id(key, place), value);
  }

  /** As get, and it is gone. */
  take(key: string, place: CachePlace): V | undefined {
    const value = this.get(key, place);
    this.delete(key, place);
    return value;
  }

  delete(key: string, place: CachePlace): void {
    this.#entries.delete(this.#id(key, place));
  }

  get #isIdle(): boolean {
    return idleCaches.has(this.name);
  }

  #put(id: string, value: V): void {
    const bytes = entryBytes + id.length + Math.round(this.sizeOf(value));
    if (bytes > this.#entries.maxSize) this.oversize++;
    this.#entries.set(id, { value, isMade: true, bytes });
  }

  #note(isHit: boolean): void {
    if (isHit) this.hits++;
    else this.misses++;
  }
}

/** Of time-scoped caches, which depend on nothing of the chain. */
export const anywhere: CachePlace = {};

const instances = new Set<WeakRef<Cache<unknown>>>();

interface CacheFigures {
  hits: number;
  misses: number;
  oversize: number;
  bytes: number;
}

/** Figures of all caches of this process, those of one name added up. */
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
