import { request } from 'undici';
import { report } from '../measure/report.ts';
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
    report(`export ${path}`, 'rows/s', rows / seconds);
    report(`export ${path}, bytes`, 'MB/s', bytes / seconds / 1e6);
    report(`export ${path}, first byte`, 'ms', first);
    report(`export ${path}, growth of memory`, 'MB', peak - before);
  }
}
