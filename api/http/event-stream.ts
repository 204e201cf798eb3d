/** Server-sent events: text, place in the order, and going on behind the last one. @source HTML Living Standard, 9.2 */

import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Places } from '#runtime/budgets/places.ts';
import { lastOf } from '#runtime/lists.ts';
import type { AnchorEvents } from '../read/deposits/anchor-events.ts';
import type { EventsOf } from '../read/deposits/stream-event.ts';
import { ApiProblem } from '../terms/errors.ts';
import { OtherReply } from './reply.ts';

/** Behind which event a stream begins. */
interface StreamPlace {
  readonly sequence: number;
  readonly part: number;
}

export interface StreamDeps {
  readonly anchorEvents: AnchorEvents;
  readonly streamPlaces: Places;
}

/** Who asks for a stream, and what it sent. */
interface StreamRequest {
  readonly headers: IncomingHttpHeaders;
  readonly caller: string;
  readonly gone: AbortSignal;
}

/** Comments keep a quiet connection open, ms. */
const keepAliveMs = 15_000;

/**
 * A stream that begins behind Last-Event-ID (or the parameter of that name), without it at the next event.
 * @throws ApiProblem bad_query where the id is none of ours
 */
export async function streamEvents(
  { anchorEvents, streamPlaces }: StreamDeps,
  { headers, caller, gone }: StreamRequest,
  given: string | undefined,
  eventsOf: EventsOf,
): Promise<OtherReply> {
  const newest = await anchorEvents.last();
  const text = headers['last-event-id'] ?? given;
  const place =
    text === undefined ? { sequence: newest, part: Number.MAX_SAFE_INTEGER } : placeOf(String(text), newest);
  const giveBack = streamPlaces.take(caller);
  if (typeof giveBack !== 'function')
    throw new ApiProblem(
      'rate_limited',
      giveBack === 'own'
        ? `one caller may have ${streamPlaces.perHolder} streams at once`
        : `all ${streamPlaces.most} places for streams are taken`,
      { retryAfterSeconds: 10 },
    );
  const body = Readable.from(eventTexts(anchorEvents, place, eventsOf, gone), { objectMode: false });
  gone.addEventListener('abort', giveBack, { once: true });
  if (gone.aborted) giveBack(); // the client left before the stream began
  return new OtherReply('text/event-stream; charset=utf-8', body, {
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  });
}

function placeOf(text: string, newest: number): StreamPlace {
  const match = /^(\d{1,15})(?:-(\d{1,9}))?$/.exec(text);
  if (!match || Number(match[1]) > newest)
    throw new ApiProblem(
      'bad_query',
      `Last-Event-ID must be the id of an event, 0 to ${newest}, given: ${text.slice(0, 40)}`,
    );
  return { sequence: Number(match[1]), part: match[2] === undefined ? Number.MAX_SAFE_INTEGER : Number(match[2]) };
}

async function* eventTexts(
  anchorEvents: AnchorEvents,
  { sequence, part }: StreamPlace,
  eventsOf: EventsOf,
  gone: AbortSignal,
): AsyncGenerator<string> {
  yield 'retry: 1000\n\n';
  // a step of which not all events were seen is taken up again
  let last = part === Number.MAX_SAFE_INTEGER ? sequence : sequence - 1;
  let lastSentAt = Date.now();
  while (!gone.aborted && !anchorEvents.stopped.aborted) {
    const steps = await anchorEvents.after(last);
    if (steps.length === 0) {
      const quiet = AbortSignal.any([gone, AbortSignal.timeout(keepAliveMs)]);
      await anchorEvents.waitBeyond(last, quiet);
      if (Date.now() - lastSentAt >= keepAliveMs) {
        yield ': still here\n\n';
        lastSentAt = Date.now();
      }
      continue;
    }
    for (const event of await eventsOf(steps)) {
      if (isSeen(event.id, sequence, part)) continue;
      yield `id: ${event.id}\nevent: ${event.name}\ndata: ${JSON.stringify(event.data)}\n\n`;
      lastSentAt = Date.now();
    }
    last = lastOf(steps).sequence;
  }
}

function isSeen(id: string, sequence: number, part: number): boolean {
  const [own, ownPart = '0'] = id.split('-');
  return Number(own) === sequence && Number(ownPart) <= part;
}
