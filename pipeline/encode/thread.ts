/** Encodes a reply on a thread, and moves the memory of its rows to the main thread without a copy. */
import { Piscina, transferableSymbol, valueSymbol } from 'piscina';
import { type EncodeTask, encodeReply } from './encode-reply.ts';

export function encode(task: EncodeTask) {
  const reading = encodeReply(task);
  if ('failure' in reading || 'invalid' in reading.results) return reading;
  const memory = new Set(Object.values(reading.results.range.tables).map(({ bytes }) => bytes.buffer));
  return Piscina.move({ [transferableSymbol]: [...memory], [valueSymbol]: reading });
}
