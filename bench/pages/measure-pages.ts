import { request } from 'undici';
import { known } from '#runtime/known.ts';
import { readItems } from '../measure/read-items.ts';
import { report } from '../measure/report.ts';

const headers = { accept: 'text/html', 'accept-encoding': 'br' };
const warmUp = 10;

export interface LoadedPage {
  readonly bytes: number;
  readonly ms: number;
}

/** Loads a page. @throws Error for every status but 200 */
export async function loadPage(url: string): Promise<LoadedPage> {
  const startedAt = performance.now();
  const reply = await request(url, { headers });
  const body = Buffer.from(await reply.body.arrayBuffer());
  if (reply.statusCode !== 200) throw new Error(`${url}: HTTP status ${reply.statusCode}`);
  return { bytes: body.length, ms: performance.now() - startedAt };
}

/** Pages that need balances or a transaction pool, which the node of the bench `api` lacks. */
export const pagesOfLiveNodes: readonly string[] = ['/accounts', '/pending', '/supply'];

/**
 * Measures and prints how long each page takes.
 * @param requests per page
 * @param renew runs before every tenth request, such as to add a block
 */
export async function measurePages(
  origin: string,
  requests: number,
  { renew = async () => {}, without = [] as readonly string[] } = {},
): Promise<void> {
  for (const [name, path] of await listPages(origin)) {
    if (without.includes(name)) continue;
    const times: number[] = [];
    for (let n = 0; n < warmUp + requests; n++) {
      if (n % 10 === 0) await renew();
      const { ms } = await loadPage(origin + path(n));
      if (n >= warmUp) times.push(ms);
    }
    report(`page ${name}`, 'ms', times);
  }
}

/** Name, and a function that returns the path for the n-th request. */
type Page = readonly [string, (n: number) => string];

async function listPages(origin: string): Promise<Page[]> {
  const items = <T>(path: string) => readItems<T>(origin, path);
  const newest = await items<{ txHash: string; from: string; blockNumber: number }>('/transactions?limit=200');
  const transactions = newest.slice(50);
  const tokens = await items<{ address: string }>('/tokens?type=erc20&limit=5');
  const nfts = await items<{ address: string }>('/tokens?type=erc721&limit=5');
  const allCharts = await items<{ id: string; subject: string | null }>('/stats/charts');
  const charts: { id: string }[] = [];
  // some charts need settings of the operator, or traces
  for (const chart of allCharts.filter(({ subject }) => subject === null))
    if ((await request(`${origin}/charts/${chart.id}`, { headers })).statusCode === 200) charts.push(chart);
  const any = <T>(list: readonly T[], at: number) => known(list[at % list.length], 'anything of this kind');
  const ofAddress = ['', 'transfers', 'tokens', 'nfts'].map((tab): Page => {
    const query = tab && `?tab=${tab}`;
    return [`/address/{a}${query}`, (n) => `/address/${any(transactions, n).from}${query}`];
  });
  const single = [
    ...['/', '/blocks', '/txs', '/accounts', '/tokens', '/charts', '/charts/query', '/board', '/sql', '/gas'],
    ...['/pending', '/reorgs', '/validators', '/supply', '/markets', '/labels', '/directory', '/agents', '/assets'],
    ...['/contract/verify', '/account', '/more', '/status', '/docs'],
  ];
  return [
    ...single.map((path): Page => [path, () => path]),
    ['/block/{id}', (n) => `/block/${any(transactions, n).blockNumber}`],
    ['/tx/{hash}', (n) => `/tx/${any(transactions, n).txHash}`],
    ['/tx/{hash}?tab=logs', (n) => `/tx/${any(transactions, n).txHash}?tab=logs`],
    ...ofAddress,
    ['/token/{a}', (n) => `/token/${any(tokens, n).address}`],
    ['/token/{a}?tab=holders', (n) => `/token/${any(tokens, n).address}?tab=holders`],
    ...nfts.slice(0, 1).map(({ address }): Page => ['/nft/{a}', () => `/nft/${address}`]),
    ['/charts/{type}', (n) => `/charts/${any(charts, n).id}`],
    ['/search', (n) => `/search?q=${any(['USD', 'cord', 'anch', 'badge'], n)}`],
  ];
}
