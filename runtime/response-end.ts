import type { ServerResponse } from 'node:http';

/** Timeout of a client that does not read its reply, ms. The disconnect can take twice as long. */
export const maxStallMs = 30_000;

/** Returns a signal that is aborted when the response was sent or its client has disconnected. */
export function closeSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (response.closed) gone.abort();
  return gone.signal;
}
