/** Caches values for at most 4 s and refreshes them in the background. */
import { anywhere, Cache } from './cache.ts';
import type { CacheName } from './caches.ts';

const renewAfterMs = 1_500;
/** A revoked API key must fail within 5 s. @source docs/identity.md#api-keys */
const maxAgeMs = 4_000;

interface Entry<V> {
  readonly value: V;
  readonly askedAt: number;
}

export class FreshCache<V> {
  readonly #entries: Cache<Entry<V>>;
  readonly #running = new Map<string, { readonly value: Promise<V>; readonly askedAt: number }>();
  /** Counts removals: a read that began before a removal is not stored. */
  #forgotten = 0;
  readonly read: (key: string) => Promise<V>;

  constructor(name: CacheName, read: (key: string) => Promise<V>) {
    this.read = read;

    this.#entries = new Cache(name);
  }

  async get(key: string): Promise<V> {
    const known = this.#entries.get(key, anywhere);
    const age = known ? performance.now() - known.askedAt : Number.POSITIVE_INFINITY;
    if (!known || age > maxAgeMs) return this.#renew(key);
    if (age > renewAfterMs) this.#renew(key).catch(() => undefined); // a later request reports the error
    return known.value;
  }

  /** Removes a value. A running read does not restore it. */
  forget(key: string): void {
    this.#entries.delete(key, anywhere);
    this.#running.delete(key);
    this.#forgotten++;
  }

  #renew(key: string): Promise<V> {
    const running = this.#running.get(key);
    // an older read may return an outdated value
    if (running && performance.now() - running.askedAt < renewAfterMs) return running.value;
    const askedAt = performance.now();
    const own = { value: this.read(key), askedAt };
    this.#running.set(key, own);
    const forgotten = this.#forgotten;
    const finalize = (entry?: Entry<V>) => {
      if (this.#running.get(key) === own) this.#running.delete(key);
      const isNewer = entry && askedAt > (this.#entries.get(key, anywhere)?.askedAt ?? 0);
      if (isNewer && forgotten === this.#forgotten) this.#entries.set(key, anywhere, entry);
    };
    own.value.then(
      (value) => finalize({ value, askedAt }),
      () => finalize(),
    );
    return own.value;
  }
}
