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

  /** Limits the age, because a reply can depend on more than the index. */
  get(key: string, state: CacheContext, maxAgeMs: number): RenderedReply | undefined {
    const entry = this.#entries.get(key, state);
    return entry && performance.now() - entry.madeAt < maxAgeMs ? entry.reply : undefined;
  }

  /**
   * Shares a rendered reply between concurrent calls, but not a stream.
   * @param isPersonal whether an error of make() concerns only the call that ran it
   */
  async shared<T extends object>(
    key: string,
    { version }: CacheContext,
    make: () => Promise<RenderedReply | T>,
    isPersonal: (error: unknown) => boolean,
  ): Promise<RenderedReply | T> {
    const id = `${key}@${version}`;
    for (let running = this.#making.get(id); running; running = this.#making.get(id)) {
      const shared = await running.catch((error: unknown) => {
        if (!isPersonal(error)) throw error;
      });
      if (shared && isRendered(shared)) return shared;
      if (shared) break; // a stream
    }
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
