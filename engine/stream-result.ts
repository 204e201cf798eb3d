/** Streams results that are too large for memory through a named pipe. The engine waits while the pipe is full. */
import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { quoteString } from './bind-parameters.ts';
import type { Engine, EngineRequest } from './engine.ts';
import { EngineException } from './exception.ts';
import { killUntilEnded } from './kill-until-ended.ts';
import { makeSpoolFolder } from './read-body.ts';
import { getTimeLimit } from './time-limit.ts';

/** Idle time before a client is disconnected, ms. The number of streams is small. */
const stallMs = 120_000;
/** Time after its limit in which a statement can end with its own error, ms. */
const graceMs = 5_000;

/**
 * Sends the rows of a SELECT. An error after the first byte breaks the connection, so the client notices missing rows.
 */
export async function streamResult(
  engine: Engine,
  request: EngineRequest,
  response: ServerResponse,
  path: string,
): Promise<void> {
  await makeSpoolFolder(path);
  await promisify(execFile)('mkfifo', ['-m', '600', path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  // without an open writer, the reader would get end-of-file before the engine opens the pipe
  const keeper = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  const source = new Socket({ fd: reader, readable: true, writable: false });
  const reading = new ReadingTime(request, () => response.destroy());
  let isRunning = false;
  const onStart = () => {
    isRunning = true;
    reading.begin();
  };
  const run = engine
    .stream({ ...request, sql: intoPipe(request.sql, path, request.format), format: 'Null', onStart })
    .finally(() => {
      isRunning = false;
      closeSync(keeper);
      reading.end();
    });
  try {
    const first = await Promise.race([
      new Promise<'bytes'>((resolve) => source.once('readable', () => resolve('bytes'))),
      run.then(() => 'done' as const),
      rejectWhenGone(request.signal),
    ]);
    if (first === 'bytes') response.flushHeaders();
    response.setTimeout(stallMs, () => response.destroy());
    reading.limit();
    const sent = pipeline(source, response);
    run.catch((error: unknown) => source.destroy(error as Error));
    await Promise.all([sent, run]);
  } catch (error) {
    // if no reader takes the remaining bytes, the engine could wait forever in a call that KILL can't end
    source.removeAllListeners('readable').resume();
    await killUntilEnded(engine, quoteString(path), () => isRunning); // the query would continue without a reader
    source.destroy();
    if (response.headersSent) response.destroy();
    else throw EngineException.from(error);
    await run.catch(() => {});
  } finally {
    await rm(path, { force: true });
  }
}

/** Rejects when the client disconnects, so that a query without rows ends too. */
function rejectWhenGone(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const leave = () => reject(EngineException.of(210, 'The client disconnected'));
    if (signal?.aborted) return leave();
    signal?.addEventListener('abort', leave, { once: true });
  });
}

/**
 * Limits the time to read a result of `sql_user`. A statement that waits for a slow client ignores its time limit and
 * would count as stuck.
 */
class ReadingTime {
  #endsAt = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  readonly request: EngineRequest;
  readonly onLate: () => void;

  constructor(request: EngineRequest, onLate: () => void) {
    this.request = request;
    this.onLate = onLate;
  }

  begin(): void {
    if (this.request.role === 'sql_user')
      this.#endsAt = performance.now() + getTimeLimit(this.request.settings) + graceMs;
  }

  /** Call it at the first byte. */
  limit(): void {
    if (this.#endsAt === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(this.onLate, Math.max(0, this.#endsAt - performance.now()));
  }

  /** Call it when the statement has ended. The client may read the rest slowly. */
  end(): void {
    clearTimeout(this.#timer);
    this.#endsAt = Number.POSITIVE_INFINITY;
  }
}

function intoPipe(sql: string, path: string, defaultFormat: string): string {
  const clause = /\bFORMAT\s+(\w+)\s*$/i.exec(sql);
  const select = clause ? sql.slice(0, clause.index) : `${sql}\n`;
  return `${select}INTO OUTFILE ${quoteString(path)} TRUNCATE FORMAT ${clause?.[1] ?? defaultFormat}`;
}
