/** Server-sent events. Clients can resume after the last event they received. @source HTML Living Standard, 9.2 */

import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import PQueue from 'p-queue';
import { getLimitedNetwork } from '#runtime/budgets/network.ts';
import type { NoPlace, Places } from '#runtime/budgets/places.ts';
import { pause } from '#runtime/shutdown.ts';
import { withDeadline } from '#runtime/signals.ts';
import type { AnchorEvent, AnchorEvents } from '../read/deposits/anchor-events.ts';
import {
  type Events,
  endOfStep,
  isSeen,
  lastCompleteStep,
  parsePosition,
  positionText,
  type ReadEvents,
  type StreamPosition,
} from '../read/deposits/stream-event.ts';
import { ApiProblem, isIndexing } from '../terms/errors.ts';
import { OtherReply } from './reply.ts';

export interface StreamDeps {
  readonly anchorEvents: AnchorEvents;
  readonly streamSlots: Places;
}

interface StreamRequest {
  readonly headers: IncomingHttpHeaders;
  readonly caller: string;
  /** IP address. */
  readonly address: string;
  readonly gone: AbortSignal;
}

/** An idle stream sends a comment at this interval, so that proxies keep the connection. */
const keepAliveMs = 15_000;
/** Minimum and maximum delay before hidden rows are read again. */
const [minHiddenMs, maxHiddenMs] = [250, 5_000];

/**
 * Returns an event stream that starts after the event in the header Last-Event-ID or in `given`, else at the next
 * event.
 * @throws ApiProblem bad_query for an invalid id, rate_limited for too many streams
 */
export async function streamEvents(
  { anchorEvents, streamSlots }: StreamDeps,
  { headers, caller, address, gone }: StreamRequest,
  given: string | undefined,
  readEvents: ReadEvents,
): Promise<OtherReply> {
  const newest = await anchorEvents.last();
  const text = headers['last-event-id'] ?? given;
  const position = text === undefined ? endOfStep(newest) : parsePosition(String(text), newest, 'Last-Event-ID');
  const release = streamSlots.take(caller, getLimitedNetwork(address));
  if (typeof release !== 'function')
    throw new ApiProblem('rate_limited', describeLimit(streamSlots, release), { retryAfterSeconds: 10 });
  const body = Readable.from(eventTexts(anchorEvents, position, readEvents, gone), { objectMode: false });
  const end = () => {
    release();
    body.destroy();
  };
  gone.addEventListener('abort', end, { once: true });
  if (gone.aborted) end(); // the client disconnected before the start
  return new OtherReply('text/event-stream; charset=utf-8', body, {
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  });
}

function describeLimit({ perHolder, perNetwork, most }: Places, reached: NoPlace): string {
  return {
    own: `limit of ${perHolder} open streams per caller reached: close a stream, or try again later`,
    network: `limit of ${perNetwork} open streams per network reached: close a stream, or try again later`,
    all: `limit of ${most} open streams of the service reached: try again later`,
  }[reached];
}

/** A stream with at least this number of waiting steps takes turns with other such streams. */
const replaySteps = 20;
const replays = new PQueue({ concurrency: 4 });

async function* eventTexts(
  anchorEvents: AnchorEvents,
  position: StreamPosition,
  readEvents: ReadEvents,
  gone: AbortSignal,
): AsyncGenerator<string> {
  // an id without data: if the connection breaks before the first event, the client resumes from this id
  yield `id: ${positionText(position)}\nretry: 1000\n\n`;
  let last = lastCompleteStep(position);
  let lastSentAt = Date.now();
  let hiddenMs = minHiddenMs;
  while (!gone.aborted && !anchorEvents.stopped.aborted) {
    const steps = await anchorEvents.after(last);
    const { events, through } = yield* withComments(shownEvents(readEvents, steps, last, gone));
    for (const event of events) {
      if (isSeen(event.id, position)) continue;
      yield `id: ${event.id}\nevent: ${event.name}\ndata: ${JSON.stringify(event.data)}\n\n`;
      lastSentAt = Date.now();
    }
    if (through === last) {
      if (steps.length > 0) await pause(hiddenMs, gone);
      else await withDeadline(keepAliveMs, [gone], (signal) => anchorEvents.waitBeyond(last, signal));
    }
    hiddenMs = through === last ? Math.min(2 * hiddenMs, maxHiddenMs) : minHiddenMs;
    last = through;
    if (Date.now() - lastSentAt < keepAliveMs) continue;
    yield ': still here\n\n';
    lastSentAt = Date.now();
  }
}

/** Makes the events of the first steps. Returns no events while rows are hidden, for example by a repair. */
async function shownEvents(
  readEvents: ReadEvents,
  steps: readonly AnchorEvent[],
  last: number,
  gone: AbortSignal,
): Promise<Events> {
  const none = { events: [], through: last };
  if (steps.length === 0) return none;
  const read = async () => readEvents(steps);
  // streams that read old events would otherwise take all database connections
  const events = steps.length < replaySteps ? read() : (replays.add(read, { signal: gone }) as Promise<Events>);
  return events.catch((error: unknown) => {
    if (isIndexing(error) || gone.aborted) return none;
    throw error;
  });
}

/** Sends comments during the work, so that proxies keep the connection. */
async function* withComments<T>(work: Promise<T>): AsyncGenerator<string, T> {
  while (!(await isDoneWithin(keepAliveMs, work))) yield ': still here\n\n';
  return work;
}

async function isDoneWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const ended = new AbortController();
  const done = work.then(
    () => true,
    () => true,
  );
  const isDone = await Promise.race([done, pause(ms, ended.signal).then(() => false)]);
  ended.abort();
  return isDone;
}
