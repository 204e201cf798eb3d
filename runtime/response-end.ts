import type { ServerResponse } from 'node:http';

/** Timeout of a client that does not read its reply, ms. The disconnect can take twice as long. */
export const maxStallMs = 30_000;

const signals = new WeakMap<ServerResponse, AbortSignal>();

/**
 * Returns a signal that aborts when the response was sent or the client disconnected. Also watches the connection,
 * because Node emits no `close` for a response that waits behind another (HTTP pipelining).
 * Each response has one signal.
 */
export function closeSignal(response: ServerResponse): AbortSignal {
  const known = signals.get(response);
  if (known) return known;
  const gone = new AbortController();
  const { socket } = response.req;
  const end = () => {
    socket.removeListener('close', end);
    response.removeListener('close', end);
    gone.abort();
  };
  socket.setMaxListeners(0); // each waiting request of the connection adds a listener
  response.once('close', end);
  socket.once('close', end);
  if (response.closed || socket.destroyed) end();
  signals.set(response, gone.signal);
  return gone.signal;
}
