/**
 * Process that attacks the service: `attacker.ts <attack> <origin of the API> <host:port of the edge>`. When stopped,
 * it reports its replies by status.
 */
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Pool } from 'undici';
import WebSocket from 'ws';
import { pause } from '#runtime/shutdown.ts';
import type { Attack } from './attack.ts';

const [attack, origin, edge] = process.argv.slice(2) as [Attack, string, string];
const pool = new Pool(origin, { connections: 50 });
const counts: Record<string, number> = {};
const count = (what: string | number) => {
  counts[what] = (counts[what] ?? 0) + 1;
};
let isStopped = false;
process.once('message', () => {
  isStopped = true;
  process.send?.(counts);
});
const random = (below: number) => Math.floor(Math.random() * below);
const one = '203.0.113.66';
const any = () => `${1 + random(220)}.${random(256)}.${random(256)}.${random(256)}`;

async function ask(
  path: string,
  ip: string,
  init: { method?: 'POST' | 'PATCH'; body?: Buffer; headers?: object } = {},
) {
  const { method = 'GET', body = null, headers = {} } = init;
  try {
    const reply = await pool.request({ path, method, body, headers: { 'x-forwarded-for': ip, ...headers } });
    await reply.body.dump({ limit: 1 << 20 });
    count(reply.statusCode);
  } catch (error) {
    count((error as { code?: string }).code ?? 'error');
  }
}

function loops(atOnce: number, pauseMs: number, work: () => Promise<unknown>): void {
  for (let i = 0; i < atOnce; i++)
    void (async () => {
      while (!isStopped) {
        await work();
        await pause(pauseMs);
      }
    })();
}

const starts: Record<Attack, () => void> = {
  flood: () => loops(50, 50, () => ask('/api/v1/transactions?limit=50', one)),
  manyNetworks: () =>
    loops(50, 50, () =>
      ask(`/api/v1/transactions?limit=50&toBlock=${random(300)}`, any(), {
        headers: random(4) === 0 ? { 'x-api-key': `fat_live_${'x'.repeat(38)}` } : {},
      }),
    ),
  bodies: () => {
    const bomb = gzipSync(Buffer.alloc(66 << 20, '1,'));
    const lists = Buffer.from(
      JSON.stringify(Array.from({ length: 30_000 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`)),
    );
    const deep = Buffer.from('['.repeat(200_000));
    const batch = Buffer.from(
      `[${Array.from({ length: 100 }, (_, id) => `{"jsonrpc":"2.0","id":${id},"method":"eth_getLogs","params":[{}]}`).join()}]`,
    );
    const json = { 'content-type': 'application/json' };
    loops(8, 100, () =>
      ask('/api/v1/address-sets', any(), { method: 'POST', body: bomb, headers: { 'content-encoding': 'gzip' } }),
    );
    loops(4, 100, () => ask('/api/v1/address-sets', any(), { method: 'POST', body: lists }));
    loops(4, 100, () => ask('/api/rpc', any(), { method: 'POST', body: deep, headers: json }));
    loops(4, 100, () => ask('/api/rpc', any(), { method: 'POST', body: batch, headers: json }));
    loops(2, 100, () =>
      ask('/v1/search', any(), {
        method: 'POST',
        body: Buffer.from(JSON.stringify({ query: '1'.repeat(500) })),
        headers: json,
      }),
    );
  },
  slowReaders: () => {
    const { hostname, port } = new URL(origin);
    const hold = (head: string) =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () =>
          socket.write(`${head}\r\nX-Forwarded-For: ${any()}\r\n\r\n`),
        );
        socket.once('data', (chunk) => {
          count(chunk.toString('latin1', 9, 12));
          socket.pause();
        });
        socket.once('close', () => resolve()).on('error', () => count('cut off'));
      });
    loops(20, 500, () => hold('GET /api/v1/export/logs HTTP/1.1\r\nHost: x'));
    loops(100, 500, () => hold('GET /api/v1/stream/heads?lastEventId=0 HTTP/1.1\r\nHost: x'));
    loops(50, 500, () => hold('POST /api/v1/address-sets HTTP/1.1\r\nHost: x\r\nContent-Length: 1000'));
  },
  webSockets: () =>
    loops(40, 200, () => {
      const ip = random(2) === 0 ? one : any();
      const socket = new WebSocket(`ws://${edge}/ws`, { headers: { 'x-forwarded-for': ip } });
      return new Promise<void>((resolve) => {
        socket.once('unexpected-response', (_, { statusCode }) => {
          count(statusCode ?? 0);
          resolve();
        });
        socket.once('error', () => resolve());
        socket.once('open', () => {
          count('open');
          for (let id = 0; id < 200; id++)
            socket.send(
              JSON.stringify({
                jsonrpc: '2.0',
                id,
                method: 'eth_subscribe',
                params: [id % 2 ? 'newHeads' : 'logs', {}],
              }),
            );
          socket.send('x'.repeat(900_000));
          setTimeout(() => {
            socket.terminate();
            resolve();
          }, 3_000);
        });
      });
    }),
};

starts[attack]();
