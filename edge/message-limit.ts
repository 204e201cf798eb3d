import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { smallBytes } from '#runtime/budgets/body-places.ts';

/** Size of the header of a client's control frame, bytes. @source RFC 6455, 5.2 */
const controlHeaderBytes = 6;
const maxMessageMs = 60_000;
/** Time for a client to close its connection itself, ms. */
const closeMs = 1_000;

/**
 * Limits incomplete messages, because each can grow to the maximum size. A large one needs a place, like a request
 * body, and must end within a minute.
 * @param takePlace returns the function that releases a place; undefined if none is free
 */
export function limitMessages(
  webSocket: WebSocket,
  connection: Duplex,
  takePlace: () => (() => void) | undefined,
  maxMs = maxMessageMs,
): void {
  let bytes = 0;
  let release: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    clearTimeout(timer);
    release?.();
    release = undefined;
    bytes = 0;
  };
  const cutOff = () => {
    webSocket.close(1013, 'too many large messages, or too slow: try again later');
    setTimeout(() => webSocket.terminate(), closeMs).unref();
  };
  // run before the listener of `ws`, which emits the messages in this part
  connection.prependListener('data', (part: Buffer) => {
    bytes += part.length;
  });
  connection.on('data', () => {
    if (release || bytes <= smallBytes) return;
    const place = takePlace();
    release = place ?? (() => {}); // count the message once, not at each part
    if (place) timer = setTimeout(cutOff, maxMs);
    else cutOff();
  });
  const skipControl = (data: Buffer) => {
    bytes -= Math.min(bytes, controlHeaderBytes + data.length);
  };
  webSocket.on('ping', skipControl).on('pong', skipControl).on('message', end).on('close', end);
}
