/**
 * Replies that were given in the present state of the chain, by route and input: what many ask for is made once a state.
 * A newer state, however small the change, makes all of them unused.
 */
import { LRUCache } from 'lru-cache';
import { CacheCount } from './cache-count.ts';

/** A reply as it is sent. */
export interface RenderedReply {
  readonly text: string;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  /** Absent: as the route says of success. */
  readonly status?: number;
}

interface Entry {
  readonly reply: RenderedReply;
  readonly madeAt: number;
}

const maxBytes = 48_000_000;
/** Of an entry beside its text. */
const entryBytes = 600;

export class ReplyCache {
  readonly count = new CacheCount();
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ reply }) => 2 * reply.text.length + entryBytes,
  });

  /** @param maxAgeMs of the reply: it can depend on more than the state */
  get(key: string, version: number, maxAgeMs: number): RenderedReply | undefined {
    const entry = this.#entries.get(`${version} ${key}`);
    return this.count.note(entry && performance.now() - entry.madeAt < maxAgeMs ? entry.reply : undefined);
  }

  set(key: string, version: number, reply: RenderedReply): void {
    this.#entries.set(`${version} ${key}`, { reply, madeAt: performance.now() });
  }
}
