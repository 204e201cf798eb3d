/** Values that may be seconds old and no more: they are shared while fresh, renewed in the background, and never served stale. */
import { StoreError } from '#sql/store-error.ts';
import { anywhere, Cache } from './cache.ts';
import type { CacheName } from './caches.ts';

/** From this age on a value is renewed beside the request that asks for it, ms. */
const renewAfterMs = 1_500;
/** A value of this age is not served any more, ms: what is revoked is shut out within 5 seconds. @source specification 5 */
const maxAgeMs = 4_000;

interface Entry<V> {
  readonly value: V;
  readonly askedAt: number;
}

export class FreshCache<V> {
  readonly #entries: Cache<Entry<V>>;
  readonly #running = new Map<string, { readonly value: Promise<V>; readonly askedAt: number }>();
  readonly read: (key: string) => Promise<V>;

  constructor(name: CacheName, read: (key: string) => Promise<V>) {
    this.read = read;

    this.#entries = new Cache(name);
  }

  /** @throws what reading throws, where there is no value fresh enough */
  async get(key: string): Promise<V> {
    const known = this.#entries.get(key, anywhere);
    const age = known ? performance.now() - known.askedAt : Number.POSITIVE_INFINITY;
    if (!known || age > maxAgeMs) return this.#renew(key);
    if (age > renewAfterMs) this.#renew(key).catch(() => undefined); // the next one in line meets the fault
    return known.value;
  }

  /** Forgets a value that was changed here; a read that is under way does not bring the old one back. */
  forget(key: string): void {
    this.#entries.delete(key, anywhere);
    this.#running.delete(key);
  }

  #renew(key: string): Promise<V> {
    const running = this.#running.get(key);
    // what was asked too long ago may answer with what is not so any more
    if (running && performance.now() - running.askedAt < renewAfterMs) return running.value;
    const askedAt = performance.now();
    const own = { value: this.#readInTime(key), askedAt };
    this.#running.set(key, own);
    const finalize = (entry?: Entry<V>) => {
      if (this.#running.get(key) !== own) return;
      this.#running.delete(key);
      if (entry) this.#entries.set(key, anywhere, entry);
    };
    own.value.then(
      (value) => finalize({ value, askedAt }),
      () => finalize(),
    );
    return own.value;
  }

  /** @throws StoreError where the answer would be older than it may be */
  #readInTime(key: string): Promise<V> {
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new StoreError('the answer came too late', true)), maxAgeMs - renewAfterMs).unref();
    });
    return Promise.race([this.read(key), late]);
  }
}
