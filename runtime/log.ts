import { createRequire } from 'node:module';
import { type Logger, pino } from 'pino';
import type { PrettyOptions } from 'pino-pretty';
import { printLine, writesText } from './terminal.ts';

export type Log = Logger;

/** Callback for each log line of level warn or above. */
export type OnLogLine = (level: string, event: string) => void;

const warning = 40;

export function createLog(name: string, level: string, countLogLine?: OnLogLine): Log {
  const options = {
    name,
    level,
    base: { name },
    hooks: {
      logMethod(this: Logger, args: unknown[], method: (...args: never[]) => void, severity: number) {
        const event = getEvent(args[0]);
        if (countLogLine && severity >= warning) countLogLine(pino.levels.labels[severity] ?? 'other', event ?? 'text');
        const words = event !== undefined && args.length === 1 ? [event.replaceAll('_', ' ')] : [];
        method.apply(this, [...args, ...words] as never[]);
      },
    },
  };
  if (!writesText) return pino(options, pino.destination({ dest: 2, sync: true }));
  return pino(options, { write: (line: string) => printLine(toText(line)) });
}

function getEvent(line: unknown): string | undefined {
  const event = (line as { event?: unknown } | null)?.event;
  return typeof event === 'string' ? event : undefined;
}

let prettify: ((line: string) => string) | undefined;

/** Formats a JSON log line as text. Returns other lines unchanged. */
export function toText(line: string): string {
  prettify ??= createPrettifier(); // loads pino-pretty only when needed
  return prettify(line).trimEnd();
}

function createPrettifier(): (line: string) => string {
  const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  const options: PrettyOptions = {
    ...{ singleLine: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname,event' },
    ...{ colorize: process.stderr.isTTY === true, errorLikeObjectKeys: ['err'] },
  };
  return prettyFactory(options);
}

export const silentLog: Log = pino({ level: 'silent' });
