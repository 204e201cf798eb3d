import { request } from 'undici';
import { pause } from '#runtime/shutdown.ts';
import { freePort, spawnCordscan, waitFor } from '#test/helpers/processes.ts';
import { scratch } from './report.ts';

interface OpenService {
  readonly origin: string;
  stop(): Promise<void>;
}

/**
 * Returns a running service, or starts one with a dev chain as `npm start` does, and waits until its history is complete.
 * @param origin URL of a service that is already running; undefined: start one
 * @param settleSeconds time for the work of a first start: embedding texts and verifying contracts
 */
export async function openService(origin: string | undefined, settleSeconds: number): Promise<OpenService> {
  const service = origin === undefined ? await start() : { origin, stop: async () => {} };
  const statistics = async () =>
    (await request(`${service.origin}/api/v1/stats`).catch(() => undefined))?.body.text() ?? '';
  await waitFor(async () => (await statistics()).includes('"complete":true'), 180_000, 'the history is complete');
  if (origin === undefined) await pause(settleSeconds * 1_000);
  return service;
}

async function start(): Promise<OpenService> {
  const ports = await Promise.all(Array.from({ length: 5 }, freePort));
  const [PORT = '', EDGE_PORT = '', METRICS_PORT = '', CLICKHOUSE_PORT = '', DEVCHAIN_PORT = ''] = ports.map(String);
  const own = { DATA_DIR: scratch(), PORT, EDGE_PORT, METRICS_PORT, CLICKHOUSE_PORT, DEVCHAIN_PORT };
  const child = spawnCordscan(['start'], { ...own, RATE_LIMITS: 'observe' });
  for (const stream of [child.stdout, child.stderr]) stream?.resume();
  return {
    origin: `http://127.0.0.1:${PORT}`,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}
