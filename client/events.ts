/** Reads server-sent events and resumes the stream after a lost connection. @source HTML Living Standard, 9.2 */
import { CordscanError } from './errors.ts';
import type { components } from './openapi.gen.ts';
import { delay, type Requests } from './requests.ts';

type Schemas = components['schemas'];

type EventOf<Data> = {
  [N in keyof Data]: {
    /** Pass as `lastEventId` to resume the stream after this event. */
    readonly id: string;
    readonly name: N;
    readonly data: Data[N];
  };
}[keyof Data];

export type HeadEvent = EventOf<Schemas['HeadEvents']>;
/** Event in the stream of an address set: a coin transfer to one of its addresses, or a new or replaced newest block. */
export type SetEvent = EventOf<Schemas['AddressSetEvents']>;

export interface StreamOptions {
  /** Id of the last handled event. Unset: start with the next event. */
  readonly lastEventId?: string;
  readonly signal?: AbortSignal;
}

/** Maximum silence before a reconnect, ms. The service sends at least a comment every 15 s. */
const silenceMs = 45_000;
const reconnectMs = 1_000;

/**
 * Yields each event once, in order. Waits while the service or its database is unavailable.
 * @throws CordscanError if the service rejects the stream
 */
export async function* readEvents<E>(requests: Requests, path: string, options: StreamOptions): AsyncGenerator<E> {
  const { signal } = options;
  const position = { lastEventId: options.lastEventId };
  while (!signal?.aborted) {
    try {
      yield* readConnection<E>(requests, path, position, signal);
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof CordscanError && !error.isTemporary) throw error;
    }
    await delay(reconnectMs, signal).catch(() => {});
  }
}

async function* readConnection<E>(
  requests: Requests,
  path: string,
  position: { lastEventId: string | undefined },
  signal: AbortSignal | undefined,
): AsyncGenerator<E> {
  const { lastEventId } = position;
  const resumed = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
  const call = { headers: { Accept: 'text/event-stream', ...resumed }, ...(signal ? { signal } : {}) };
  const { texts } = await requests.open(path, call, silenceMs);
  let rest = '';
  for await (const text of texts) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const { id, name, data } = readFields(block);
      if (id !== undefined) position.lastEventId = id;
      if (id !== undefined && data !== undefined) yield { id, name, data: JSON.parse(data) } as E;
    }
  }
}

function readFields(block: string): { id: string | undefined; name: string; data: string | undefined } {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
    }),
  );
  return { id: fields.get('id'), name: fields.get('event') ?? 'message', data: fields.get('data') };
}
