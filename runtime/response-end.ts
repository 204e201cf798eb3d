import type { ServerResponse } from 'node:http';

/** A client that reads nothing of its reply for this time is disconnected at the latest after twice this time, ms. */
export const maxStallMs = 30_000;

/** Returns a signal that is aborted when the response was sent or its client has disconnected. */
export function closeSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (response.closed) gone.abort();
  return gone.signal;
}
