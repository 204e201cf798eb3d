import { Cache, type CacheContext } from './cache.ts';
import type { CacheName } from './caches.ts';

interface Found<V> {
  readonly value: V | undefined;
}

interface Options {
  /** Cache that a key has no value. Default: true. */
  readonly cachesAbsent?: boolean;
  /** Requests with more keys bypass the cache. Default: no limit. */
  readonly maxKeys?: number;
}

type Read<V, C> = (keys: readonly string[], context: C, source: string) => Promise<ReadonlyMap<string, V>>;

export class KeyedReads<V, C extends CacheContext = CacheContext> {
  readonly #known: Cache<Found<V>>;
  readonly read: Read<V, C>;
  readonly cachesAbsent: boolean;
  readonly maxKeys: number;

  constructor(
    name: CacheName,
    read: Read<V, C>,
    { cachesAbsent = true, maxKeys = Number.POSITIVE_INFINITY }: Options = {},
  ) {
    this.read = read;
    this.cachesAbsent = cachesAbsent;
    this.maxKeys = maxKeys;

    this.#known = new Cache(name);
  }

  /** @param source part of the cache key, for example the hash of a document */
  async of(keys: readonly string[], context: C, source = ''): Promise<Map<string, V>> {
    const found = new Map<string, V>();
    const unknown: string[] = [];
    const isCached = keys.length <= this.maxKeys;
    for (const key of new Set(keys)) {
      const known = isCached ? this.#known.get(source + key, context) : undefined;
      if (!known) unknown.push(key);
      else if (known.value !== undefined) found.set(key, known.value);
    }
    if (unknown.length === 0) return found;
    const values = await this.read(unknown, context, source);
    for (const key of unknown) {
      const value = values.get(key);
      if (isCached && (value !== undefined || this.cachesAbsent)) this.#known.set(source + key, context, { value });
      if (value !== undefined) found.set(key, value);
    }
    return found;
  }
}
