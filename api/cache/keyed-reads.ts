import { Cache, type CacheContext } from './cache.ts';
import type { CacheName } from './caches.ts';

interface Found<V> {
  readonly value: V | undefined;
}

/** Reads and caches the values of several keys. Also caches which keys have no value. */
export class KeyedReads<V> {
  readonly #known: Cache<Found<V>>;
  readonly read: (keys: readonly string[], source: string) => Promise<ReadonlyMap<string, V>>;

  constructor(name: CacheName, read: (keys: readonly string[], source: string) => Promise<ReadonlyMap<string, V>>) {
    this.read = read;

    this.#known = new Cache(name);
  }

  /** @param source part of the cache key, such as the hash of the source document */
  async of(keys: readonly string[], context: CacheContext, source = ''): Promise<Map<string, V>> {
    const found = new Map<string, V>();
    const unknown: string[] = [];
    for (const key of new Set(keys)) {
      const known = this.#known.get(source + key, context);
      if (!known) unknown.push(key);
      else if (known.value !== undefined) found.set(key, known.value);
    }
    if (unknown.length === 0) return found;
    const values = await this.read(unknown, source);
    for (const key of unknown) {
      const value = values.get(key);
      this.#known.set(source + key, context, { value });
      if (value !== undefined) found.set(key, value);
    }
    return found;
  }
}
