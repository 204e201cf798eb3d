/** Structured log: one JSON object a line, or readable lines on a terminal. */
import { type Logger, pino } from 'pino';

export type Log = Logger;

/** @param name process name, carried by every line */
export function createLog(name: string, level: string): Log {
  const options = { name, level, base: { name } };
  if (process.stderr.isTTY) {
    return pino({
      ...options,
      transport: { target: 'pino-pretty', options: { destination: 2, ignore: 'pid,hostname' } },
    });
  }
  return pino(options, pino.destination({ dest: 2, sync: true }));
}

/** A log that writes nothing, for tests and short tools. */
export const silentLog: Log = pino({ level: 'silent' });
