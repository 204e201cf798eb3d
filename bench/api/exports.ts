import { request } from 'undici';
import { residentMegabytes } from '../measure/statistics.ts';
import { busiest } from './fill-chain.ts';
import type { Subject } from './subject.ts';

export async function measureExports({ origin, pid }: Subject): Promise<void> {
  for (const path of [
    'transactions?format=ndjson',
    'transactions?format=csv',
    'transactions?format=parquet',
    'transactions?format=arrow',
    'logs?format=ndjson',
    'transfers?format=parquet',
    `transactions?format=ndjson&address=${busiest}`,
    `transactions?format=parquet&address=${busiest}`,
  ]) {
    const before = residentMegabytes(pid);
    let [bytes, first, peak] = [0, 0, before];
    const startedAt = performance.now();
    const reply = await request(`${origin}/api/v1/export/${path}`, { bodyTimeout: 600_000, headersTimeout: 600_000 });
    for await (const chunk of reply.body) {
      first ||= performance.now() - startedAt;
      if (bytes >> 24 !== (bytes + (chunk as Buffer).length) >> 24) peak = Math.max(peak, residentMegabytes(pid));
      bytes += (chunk as Buffer).length;
    }
    const seconds = (performance.now() - startedAt) / 1000;
    const rows = Number(reply.trailers['x-export-rows']);
    console.log(
      `export ${path}: ${rows} rows, ${Math.round(rows / seconds)} rows/s, ${Math.round(bytes / seconds / 1e6)} MB/s,`,
      `first byte after ${Math.round(first)} ms, API memory ${before} MB, peak ${peak} MB`,
    );
  }
}
