/**
 * Results that are too large to be held: the engine writes them into a named pipe, this process passes them on at the pace
 * of the client. The engine waits while the pipe is full.
 */
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

/** A client that takes nothing for so long is gone, ms: it holds one of the engine's places. */
const stallMs = 120_000;

/**
 * Runs a SELECT and sends its rows as they come. A fault before the first byte is thrown; one behind it cuts the reply
 * off, so that it can't be taken for whole.
 * @param path of the pipe, in a directory of this process
 * @throws EngineException
 */
export async function streamResult(
  engine: Engine,
  request: EngineRequest,
  response: ServerResponse,
  path: string,
): Promise<void> {
  await promisify(execFile)('mkfifo', ['-m', '600', path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  // without a writer of its own the pipe would be at its end before the engine has opened it
  const keeper = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  const source = new Socket({ fd: reader, readable: true, writable: false });
  const run = engine
    .stream({ ...request, sql: intoPipe(request.sql, path, request.format), format: 'Null' })
    .finally(() => closeSync(keeper));
  try {
    const first = await Promise.race([
      new Promise<'bytes'>((resolve) => source.once('readable', () => resolve('bytes'))),
      run.then(() => 'done' as const),
    ]);
    if (first === 'bytes') response.flushHeaders();
    response.setTimeout(stallMs, () => response.destroy());
    const sent = pipeline(source, response);
    run.catch((error: unknown) => source.destroy(error as Error));
    await Promise.all([sent, run]);
  } catch (error) {
    source.destroy();
    await engine.kill(path); // it would go on to its last row, as a pipe without a reader does not stop it
    if (response.headersSent) response.destroy();
    else throw EngineException.from(error);
    await run.catch(() => {});
  } finally {
    await rm(path, { force: true });
  }
}

/** The same statement with its rows going into the pipe. */
function intoPipe(sql: string, path: string, defaultFormat: string): string {
  const clause = /\bFORMAT\s+(\w+)\s*$/i.exec(sql);
  const select = clause ? sql.slice(0, clause.index) : `${sql}\n`;
  return `${select}INTO OUTFILE ${quoteString(path)} TRUNCATE FORMAT ${clause?.[1] ?? defaultFormat}`;
}
