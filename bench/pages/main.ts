/**
 * Measures how long each page of a running service takes, and how many bytes the first load of the home page transfers.
 * `npm run bench -- pages [--origin http://127.0.0.1:3000] [--requests 200] [--settle 90]`
 */
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { openService } from '../measure/open-service.ts';
import { report } from '../measure/report.ts';
import { loadPage, measurePages } from './measure-pages.ts';

const { values } = parseArgs({
  options: {
    origin: { type: 'string' },
    settle: { type: 'string', default: '90' },
    requests: { type: 'string', default: '200' },
  },
});
const service = await openService(values.origin, Number(values.settle));
const { origin } = service;
await measurePages(origin, Number(values.requests));
const home = await loadPage(`${origin}/`);
const plain = await (await request(`${origin}/`)).body.text();
const assets = [...plain.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].flatMap(([, path]) => path ?? []);
const sizes = await Promise.all([...new Set(assets)].map((path) => loadPage(origin + path)));
report(
  'first load of the home page',
  'bytes',
  sizes.reduce((sum, { bytes }) => sum + bytes, home.bytes),
);
await service.stop();
process.exit(0);
