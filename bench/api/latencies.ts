import { request } from 'undici';
import { Random } from '#devchain/random.ts';
import { report } from '../measure/report.ts';
import { busiest, getAddress, getTime, readHashes, widestToken } from './fill-chain.ts';
import { type Subject, timeOfRequest } from './subject.ts';

export async function measureCompatible(subject: Subject): Promise<void> {
  const random = new Random(subject.head);
  const list = (action: string, rows: number, sort: string) => () =>
    `/api?module=account&action=${action}&address=${busiest}&startblock=0&endblock=${random.between(Math.floor(subject.head / 2), subject.head)}&page=1&offset=${rows}&sort=${sort}`;
  for (const action of ['txlist', 'tokentx'])
    for (const [rows, requests] of [
      [100, subject.requests],
      [10_000, subject.requests / 20],
    ] as const)
      report(`${action} of ${rows} rows`, 'ms', await times(subject, list(action, rows, 'desc'), requests));
  report(
    'txlist of the oldest 10000 rows',
    'ms',
    await times(subject, list('txlist', 10_000, 'asc'), subject.requests / 20),
  );
}

/**
 * Measures and prints how long replies of the API take. @param renew adds a block, so that the API drops cached values
 */
export async function measureLatencies(subject: Subject, renew: () => Promise<void>): Promise<void> {
  const { origin, database, head, requests } = subject;
  const random = new Random(head);
  // request so many different transactions that few replies come from the cache of the API
  const numbers = Array.from({ length: 5_000 }, () => random.between(0, head * 10));
  const hashes = await readHashes(database, numbers);
  const page = (address: string) => `/api/v1/accounts/${address}/transactions?limit=200&to=${random.between(1, head)}`;
  const kinds: [string, () => string][] = [
    ['page of 200 at any position of the busiest address', () => page(busiest)],
    ['page of 200 at any position of any address', () => page(getAddress(random.next()))],
    ['transaction by hash', () => `/api/v1/transactions/${random.pick(hashes)}`],
    ['account', () => `/api/v1/accounts/${getAddress(random.next())}`],
    ['block', () => `/api/v1/strings/${random.between(1, head)}`],
    ['first page of holders', () => `/api/v1/tokens/${widestToken}/holders?limit=100`],
    ['transfers of a token', () => `/api/v1/tokens/${widestToken}/transfers?limit=100`],
    ['tokens by holders', () => '/api/v1/tokens?limit=50'],
    ['search', () => `/api/v1/search?q=${getAddress(random.next())}`],
  ];
  for (const [name, path] of kinds) report(name, 'ms', await times(subject, path, requests));
  await renew();
  report('/stats', 'ms', await times(subject, () => '/api/v1/stats', requests));
  report('/stats of a new state', 'ms', await cold(subject, ['/api/v1/stats'], renew, 40));
  await measureHolderPages(subject);
  const ids = await chartIds(origin);
  const year = ids.map((id) => `/api/v1/stats/charts/${id}?resolution=day`);
  const month = year.map((path) => `${path}&from=${getTime(head) - 30 * 86_400}`);
  report(`${ids.length} charts by day, all time, new state`, 'ms', await cold(subject, year, renew, 3));
  for (const path of year) await timeOfRequest(origin, path);
  report('the same charts, repeated', 'ms', await times(subject, () => random.pick(year), requests));
  report('charts by day, last 30 days, new state', 'ms', await cold(subject, month, renew, 3));
}

async function times({ origin }: Subject, path: () => string, requests: number): Promise<number[]> {
  for (let i = 0; i < 30; i++) await timeOfRequest(origin, path());
  const all: number[] = [];
  for (let i = 0; i < requests; i++) all.push(await timeOfRequest(origin, path()));
  return all;
}

async function cold({ origin }: Subject, paths: readonly string[], renew: () => Promise<void>, rounds: number) {
  const all: { path: string; ms: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const path of paths) {
      await renew();
      await new Promise((resolve) => setTimeout(resolve, 60)); // wait until the API has noticed the new block
      all.push({ path, ms: await timeOfRequest(origin, path) });
    }
  }
  all.sort((a, b) => b.ms - a.ms);
  if (paths.length > 1)
    console.log(
      '  slowest:',
      all
        .slice(0, 4)
        .map(({ path, ms }) => `${path} ${Math.round(ms)}`)
        .join(', '),
    );
  return all.map(({ ms }) => ms);
}

async function measureHolderPages({ origin, requests }: Subject): Promise<void> {
  const all: number[] = [];
  let cursor: string | null = null;
  for (let i = 0; i < requests / 4; i++) {
    const startedAt = performance.now();
    const more = cursor === null ? '' : `&cursor=${cursor}`;
    const reply = await request(`${origin}/api/v1/tokens/${widestToken}/holders?limit=200${more}`);
    const body = (await reply.body.json()) as { nextCursor: string | null };
    all.push(performance.now() - startedAt);
    cursor = body.nextCursor;
  }
  report('pages of 200 in a walk through a million holders', 'ms', all);
}

async function chartIds(origin: string): Promise<string[]> {
  const body = (await (await request(`${origin}/api/v1/stats/charts`)).body.json()) as {
    items: { id: string; subject: string | null }[];
  };
  return body.items.filter(({ subject }) => subject === null).map(({ id }) => id);
}
