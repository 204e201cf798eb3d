/** A proxy to the engine that fails permanently between two writes, like a killed pipeline. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { silentLog } from '#runtime/log.ts';
import { Database } from '#sql/client.ts';
import { freePort } from './processes.ts';

export interface MortalEngine {
  readonly database: Database;
  /** Lets this many writes pass, then blocks everything. @param isCounted default: all writes */
  dieAfter(writes: number, isCounted?: (sql: string) => boolean): void;
  failWhere(pattern: RegExp | undefined): void;
  isDead(): boolean;
  stop(): Promise<void>;
}

const isWrite = (sql: string) => /^\s*(INSERT|ALTER|DELETE|TRUNCATE|OPTIMIZE|DROP|CREATE)\b/i.test(sql);

/** Starts a proxy to the embedded engine that can fail between two writes. @param url URL with the password */
export async function startFailingEngine(url: string, database: string): Promise<MortalEngine> {
  const origin = `http://${new URL(url).host}`;
  let left = Number.POSITIVE_INFINITY;
  let isDead = false;
  let counts = (_: string) => true;
  let failing: RegExp | undefined;
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const sql = new URL(request.url!, origin).searchParams.get('query') ?? body.subarray(0, 2_000).toString();
    if (!isDead && isWrite(sql) && counts(sql) && --left < 0) isDead = true;
    if (failing?.test(sql)) return void response.destroy();
    if (isDead) return void response.destroy();
    const { host: _, ...headers } = request.headers as Record<string, string>;
    delete headers['transfer-encoding'];
    delete headers.connection;
    delete headers['content-length'];
    const reply = await fetch(new URL(request.url!, origin), { method: request.method!, headers, body });
    const answer = Buffer.from(await reply.arrayBuffer());
    const kept = [...reply.headers].filter(([name]) => /^(x-clickhouse|content-type)/.test(name));
    response.writeHead(reply.status, Object.fromEntries(kept));
    response.end(answer);
  };
  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()));
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const within = Object.assign(new URL(url), { port: String(port) }).href;
  const own = new Database({ url: within, database, log: silentLog, waitMs: 500 });
  return {
    database: own,
    dieAfter: (writes, isCounted = () => true) => {
      [left, counts] = [writes, isCounted];
    },
    failWhere: (pattern) => {
      failing = pattern;
    },
    isDead: () => isDead,
    stop: async () => {
      isDead = true;
      server.closeAllConnections();
      await own.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
