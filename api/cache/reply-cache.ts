/**
 * Replies that were given in the present state of the chain, by route and input: what many ask for is made once a state.
 * A newer state, however small the change, makes all of them unused.
 */
import { Cache, type CachePlace } from './cache.ts';

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

/** Of an entry beside its text. */
const entryBytes = 600;

export class ReplyCache {
  readonly #entries = new Cache<Entry>('replies', ({ reply }) => 2 * reply.text.length + entryBytes);

  /** @param maxAgeMs of the reply: it can depend on more than the state */
  get(key: string, state: CachePlace, maxAgeMs: number): RenderedReply | undefined {
    const entry = this.#entries.get(key, state);
    return entry && performance.now() - entry.madeAt < maxAgeMs ? entry.reply : undefined;
  }

  set(key: string, state: CachePlace, reply: RenderedReply): void {
    this.#entries.set(key, state, { reply, madeAt: performance.now() });
  }
}
