/** Structured log: one JSON object per line, or readable lines on a terminal. */
import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Callback for each log line of level warn or above. @param event field `event` of the line, or `text` */
export type OnLogLine = (level: string, event: string) => void;

const warning = 40;

/** @param name process name, written to every line */
export function createLog(name: string, level: string, countLogLine?: OnLogLine): Log {
  const options = {
    name,
    level,
    base: { name },
    hooks: {
      logMethod(this: Logger, args: unknown[], method: (...args: never[]) => void, severity: number) {
        if (countLogLine && severity >= warning)
          countLogLine(pino.levels.labels[severity] ?? 'other', getEvent(args[0]));
        method.apply(this, args as never[]);
      },
    },
  };
  if (process.stderr.isTTY) {
    return pino({
      ...options,
      transport: {
        target: 'pino-pretty',
        options: {
          ...{ destination: 2, singleLine: true, translateTime: 'SYS:HH:MM:ss' },
          ...{ messageFormat: '{event} {msg}', ignore: 'pid,hostname,event' },
        },
      },
    });
  }
  return pino(options, pino.destination({ dest: 2, sync: true }));
}

function getEvent(line: unknown): string {
  const event = (line as { event?: unknown } | null)?.event;
  return typeof event === 'string' ? event : 'text';
}

/** Log that writes nothing, for tests and tools. */
export const silentLog: Log = pino({ level: 'silent' });
