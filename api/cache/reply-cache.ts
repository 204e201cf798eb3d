/** Caches complete replies, so that equal requests are computed once per state of the chain. */
import { Cache, type CacheContext } from './cache.ts';

export interface RenderedReply {
  readonly text: string;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  readonly status?: number;
}

interface Entry {
  readonly reply: RenderedReply;
  readonly madeAt: number;
}

const entryBytes = 600;

export const isRendered = (reply: object): reply is RenderedReply => 'etag' in reply;

export class ReplyCache {
  readonly #making = new Map<string, Promise<object>>();
  readonly #entries = new Cache<Entry>('replies', ({ reply }) => 2 * reply.text.length + entryBytes);

  /** Returns a cached reply that is recent enough: it can depend on more than the state of the chain. */
  get(key: string, state: CacheContext, maxAgeMs: number): RenderedReply | undefined {
    const entry = this.#entries.get(key, state);
    return entry && performance.now() - entry.madeAt < maxAgeMs ? entry.reply : undefined;
  }

  /** Concurrent calls with the same key and state share one rendered reply. Other replies, such as streams, belong to one request. */
  async shared<T extends object>(
    key: string,
    { version }: CacheContext,
    make: () => Promise<RenderedReply | T>,
  ): Promise<RenderedReply | T> {
    const id = `${key}@${version}`;
    const running = this.#making.get(id);
    const shared = running && (await running);
    if (shared && isRendered(shared)) return shared;
    const made = make().finally(() => {
      if (this.#making.get(id) === made) this.#making.delete(id);
    });
    this.#making.set(id, made);
    return made;
  }

  set(key: string, state: CacheContext, reply: RenderedReply): void {
    this.#entries.set(key, state, { reply, madeAt: performance.now() });
  }
}
