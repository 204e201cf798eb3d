import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { freePort } from './processes.ts';

export interface RunningPostgres {
  /** Parameters can be appended with `&`. */
  readonly url: string;
  /** Open connections. The data stay while the server is stopped. */
  readonly server: { start(): Promise<void>; stop(): Promise<void> };
  stop(): Promise<void>;
}

/** Starts PostgreSQL in this process (PGlite), because npm can't install a server. */
export async function startPostgres(): Promise<RunningPostgres> {
  const db = await PGlite.create();
  const port = await freePort();
  let running: PGLiteSocketServer | undefined;
  const server = {
    start: async () => {
      running = new PGLiteSocketServer({ db, port, host: '127.0.0.1' });
      await running.start();
    },
    stop: async () => running?.stop(),
  };
  await server.start();
  const stop = async () => {
    await server.stop();
    await db.close();
  };
  return { server, url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres?sslmode=disable`, stop };
}
