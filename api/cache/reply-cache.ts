/** Cache of complete replies: equal requests are computed once per chain state. */
import { Cache, type CacheContext } from './cache.ts';

export interface RenderedReply {
  readonly text: string;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  /** Default: the route's success status. */
  readonly status?: number;
}

interface Entry {
  readonly reply: RenderedReply;
  readonly madeAt: number;
}

/** Estimated size of an entry without the text of its reply, bytes. */
const entryBytes = 600;

export class ReplyCache {
  readonly #entries = new Cache<Entry>('replies', ({ reply }) => 2 * reply.text.length + entryBytes);

  /** @param maxAgeMs maximum age, because a reply can depend on more than the chain state */
  get(key: string, state: CacheContext, maxAgeMs: number): RenderedReply | undefined {
    const entry = this.#entries.get(key, state);
    return entry && performance.now() - entry.madeAt < maxAgeMs ? entry.reply : undefined;
  }

  set(key: string, state: CacheContext, reply: RenderedReply): void {
    this.#entries.set(key, state, { reply, madeAt: performance.now() });
  }
}
