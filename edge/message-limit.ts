import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { smallBytes } from '#runtime/budgets/body-places.ts';

/** Header of a control frame of a client, bytes. @source RFC 6455, 5.2 */
const controlHeaderBytes = 6;
const maxMessageMs = 60_000;
/** Time in which a client can close its connection itself, ms. */
const closeMs = 1_000;

/**
 * Limits messages that a client has begun and not ended: each can take memory of its maximum size. A large one needs a
 * place, as the body of a request does, and must end within a minute.
 * @param takePlace returns the function that releases a place; undefined: none is free
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
  // before the listener of `ws`, which emits the messages of this part
  connection.prependListener('data', (part: Buffer) => {
    bytes += part.length;
  });
  connection.on('data', () => {
    if (release || bytes <= smallBytes) return;
    const place = takePlace();
    release = place ?? (() => {}); // what follows is not counted again
    if (place) timer = setTimeout(cutOff, maxMs);
    else cutOff();
  });
  const skipControl = (data: Buffer) => {
    bytes -= Math.min(bytes, controlHeaderBytes + data.length);
  };
  webSocket.on('ping', skipControl).on('pong', skipControl).on('message', end).on('close', end);
}
