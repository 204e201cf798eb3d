import { createHash } from 'node:crypto';
import { StandardMerkleTree } from '@openzeppelin/merkle-tree';
import test from 'ava';
import { formatUnits } from 'ethers';
import { Random } from '#devchain/random.ts';
import { modelHolders } from '#test/helpers/chain-model.ts';
import { findLinks, readPage } from '#test/helpers/page-reader.ts';
import { headReader } from '#test/helpers/service.ts';
import { indexed } from './chain.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field
type Reply = any;

const transfersUntil = (token: string, standard: string, block: number) =>
  indexed.transfers.filter((one) => one.token === token && one.standard === standard && one.block <= block);

const tokens = () => [...new Set(indexed.transfers.map(({ token, standard }) => `${token} ${standard}`))];

const ordered = (balances: Map<string, bigint>) =>
  [...balances].sort(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : x > y ? -1 : 1));

async function readAll(token: string, standard: string, block: number): Promise<[string, bigint][]> {
  const items: [string, bigint][] = [];
  for (let more = ''; ; ) {
    const path = `/api/v1/tokens/${token}/snapshot?block=${block}&standard=${standard}&limit=23${more}`;
    const { status, body } = await indexed.api.get(path);
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    items.push(...body.items.map(({ address, balance }: Reply) => [address, BigInt(balance)] as const));
    if (!body.hasMore) return items;
    more = `&cursor=${body.nextCursor}`;
  }
}

test.serial('holders of each token after any block equal a recount of its transfers', async (t) => {
  const random = new Random(4);
  const { head } = indexed;
  for (const block of [0, 37, 1_999, 2_000, 2_001, random.between(100, 340), random.between(2_001, head), head]) {
    for (const one of tokens()) {
      const [token = '', standard = ''] = one.split(' ');
      const expected = ordered(modelHolders(transfersUntil(token, standard, block), token));
      t.deepEqual(await readAll(token, standard, block), expected, `${one} at block ${block}`);
    }
  }
});

test.serial('who gained and lost between two blocks equals a recount', async (t) => {
  for (const one of tokens())
    for (const [from, to] of [
      [20, 300],
      [300, 2_050],
      [2_010, indexed.head],
    ] as const) {
      const [token = '', standard = ''] = one.split(' ');
      const path = `/api/v1/tokens/${token}/changes?fromBlock=${from}&toBlock=${to}&standard=${standard}&limit=200`;
      const { body } = await indexed.api.get(path);
      const [before, after] = [from, to].map((block) =>
        modelHolders(transfersUntil(token, standard, block), token),
      ) as [Map<string, bigint>, Map<string, bigint>];
      const moved = [...new Set([...before.keys(), ...after.keys()])]
        .map((address) => ({ address, before: before.get(address) ?? 0n, after: after.get(address) ?? 0n }))
        .filter((change) => change.before !== change.after);
      const bySize = (sign: bigint) => (a: (typeof moved)[number], b: (typeof moved)[number]) => {
        const [x, y] = [sign * (a.after - a.before), sign * (b.after - b.before)];
        return x === y ? (a.address < b.address ? -1 : 1) : x > y ? -1 : 1;
      };
      const shown = (list: typeof moved) =>
        list.slice(0, 200).map((change) => ({ ...change, before: String(change.before), after: String(change.after) }));
      const gained = moved.filter((change) => change.after > change.before).sort(bySize(1n));
      const lost = moved.filter((change) => change.after < change.before).sort(bySize(-1n));
      t.deepEqual(body.gained, shown(gained), `${path}: gained`);
      t.deepEqual(body.lost, shown(lost), `${path}: lost`);
      t.deepEqual(body.counts, {
        gained: gained.length,
        lost: lost.length,
        joined: moved.filter((change) => change.before === 0n).length,
        left: moved.filter((change) => change.after === 0n).length,
      });
    }
});

test.serial('a snapshot by time, as CSV with its digest, and its errors', async (t) => {
  const [token = '', standard = ''] = tokens()[0]!.split(' ');
  const base = `/api/v1/tokens/${token}/snapshot?standard=${standard}`;
  const block = indexed.blocks[300]!;
  const byTime = await indexed.api.get(`${base}&time=${block.time + 1}`);
  t.is(byTime.body.block.number, 300);
  t.is(byTime.body.block.timestamp, block.time);
  t.true(byTime.body.block.finalized);
  const csv = await indexed.api.get(`${base}&block=300&format=csv`);
  const lines = String(csv.body).trim().split('\r\n').slice(1);
  const holders = ordered(modelHolders(transfersUntil(token, standard, 300), token));
  t.deepEqual(
    lines,
    holders.map(([address, balance]) => `${address},${balance}`),
  );
  t.is(csv.headers.get('repr-digest'), `sha-256=:${createHash('sha256').update(String(csv.body)).digest('base64')}:`);
  t.regex(csv.headers.get('cache-control') ?? '', /no-transform/, 'a compressed file would have another digest');
  const merkle = `/api/v1/tokens/${token}/snapshot/merkle?standard=${standard}&block=300`;
  const tree = StandardMerkleTree.of(
    holders.map(([address, balance]) => [address, String(balance)]),
    ['address', 'uint256'],
  );
  const [owner, balance] = holders[1]!;
  const { body: proved } = await indexed.api.get(`${merkle}&account=${owner}`);
  t.deepEqual([proved.root, proved.holders], [tree.root, holders.length]);
  t.deepEqual(proved.account, { address: owner, balance: String(balance), proof: tree.getProof(1) });
  t.is(StandardMerkleTree.load((await indexed.api.get(`${merkle}&format=dump`)).body).root, tree.root);
  t.is((await indexed.api.get(`${merkle}&account=0x${'12'.repeat(20)}`)).status, 404);
  const head = await headReader(indexed.chain)();
  const newest = await indexed.api.get(`${base}&block=${head}`);
  t.false(newest.body.block.finalized);
  for (const [more, detail] of [
    [`&block=${head + 1_000}`, /the newest block is/],
    [`&block=1&time=${block.time}`, /either a block or a time/],
    ['&time=1', /before the first block/],
    ['&time=4000000000', /is in the future/],
  ] as const) {
    const { status, body } = await indexed.api.get(base + more);
    t.is(status, 400);
    t.regex(body.detail, detail);
  }
  const changes = `/api/v1/tokens/${token}/changes?standard=${standard}`;
  t.is((await indexed.api.get(`${changes}&fromBlock=9&toBlock=3`)).status, 400);
  t.is((await indexed.api.get(changes)).status, 400, 'the first block is required');
  const { body: byBlock } = await indexed.api.get(`${changes}&fromBlock=20&toBlock=300&limit=200`);
  const times = `&fromTime=${indexed.blocks[20]!.time}&toTime=${block.time}`;
  const file = await indexed.api.get(`${changes}${times}&format=csv`);
  t.deepEqual(
    String(file.body).trim().split('\r\n').slice(1),
    [...byBlock.gained, ...byBlock.lost].map((one: Reply) => `${one.address},${one.before},${one.after}`),
  );
  t.is(file.headers.get('repr-digest'), `sha-256=:${createHash('sha256').update(String(file.body)).digest('base64')}:`);
});

/** Returns name, colour and amount of each bar in a picture. */
async function readBars(path: string): Promise<[name: string, colour: string, amount: string][]> {
  const { status, body } = await indexed.api.get(`${path}&format=svg`);
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
  const bars = /<text x="40"[^>]*>([^<]+)<\/text><rect [^>]*fill="(#\w+)"\/><text [^>]*>([^<]+)<\/text>/g;
  return [...String(body).matchAll(bars)].map(([, name = '', colour = '', amount = '']) => [name, colour, amount]);
}

test.serial('pictures show the highest balances and the largest changes', async (t) => {
  const [shorten, green, orange] = [(text: string) => `${text.slice(0, 8)}…${text.slice(-6)}`, '#0f766e', '#c2703d'];
  for (const one of tokens()) {
    const [token = '', standard = ''] = one.split(' ');
    const { decimals } = (await indexed.api.get(`/api/v1/tokens/${token}`)).body;
    const show = (amount: bigint) => {
      const [whole = '', part] = formatUnits(amount, standard === 'erc20' ? decimals : 0)
        .replace(/\.0$/, '')
        .split('.');
      return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (part === undefined ? '' : `.${part}`);
    };
    const after = modelHolders(transfersUntil(token, standard, 300), token);
    const holders = ordered(after);
    const rest = holders.slice(9).reduce((sum, [, balance]) => sum + balance, 0n);
    const drawn = holders.slice(0, holders.length > 10 ? 9 : 10);
    const bars = drawn.map(([address, balance]) => [shorten(address), green, show(balance)]);
    if (holders.length > 10) bars.push(['All others', green, show(rest)]);
    t.deepEqual(await readBars(`/api/v1/tokens/${token}/snapshot?standard=${standard}&block=300`), bars, one);
    const changes = `/api/v1/tokens/${token}/changes?standard=${standard}&fromBlock=20&toBlock=300`;
    const { gained, lost } = (await indexed.api.get(changes)).body;
    const losses = lost.slice(0, Math.max(5, 10 - gained.length));
    const ofChanges = [...gained.slice(0, 10 - losses.length), ...losses.toReversed()].map((change: Reply) => {
      const amount = BigInt(change.after) - BigInt(change.before);
      return [shorten(change.address), amount < 0n ? orange : green, show(amount)];
    });
    t.deepEqual(await readBars(changes), ofChanges, `${one}: changes`);
  }
});

test.serial('the token page shows the holders after a block', async (t) => {
  const [token = '', standard = ''] = tokens()
    .find((one) => one.endsWith('erc20'))!
    .split(' ');
  const page = await readPage(indexed.api, `/token/${token}?tab=holders&block=300`);
  t.is(page.status, 200);
  const holders = ordered(modelHolders(transfersUntil(token, standard, 300), token));
  const links = findLinks(page, '/address/').map((link) => link.slice('/address/'.length).toLowerCase());
  for (const [address] of holders.slice(0, 25)) t.true(links.includes(address), address);
  t.regex(page.text, /Holders after block 300/);
  t.is((await readPage(indexed.api, `/token/${token}?tab=holders&block=99999999`)).status, 400);
});

test.serial('pages by number find the rows behind several pages of the largest size', async (t) => {
  const query = `/transactions?toBlock=${indexed.head - 50}&order=asc`;
  const all = (await indexed.api.get(`/api/v1${query}&limit=200`)).body;
  const more = (await indexed.api.get(`/api/v1${query}&limit=200&cursor=${all.nextCursor}`)).body;
  const rest = (await indexed.api.get(`/api/v1${query}&limit=200&cursor=${more.nextCursor}`)).body;
  const hashes = [all, more, rest].flatMap(({ items }) => items.map(({ hash }: Reply) => hash));
  const { body } = await indexed.api.get(`/api/v1${query}&limit=30&page=15`);
  t.deepEqual(
    body.items.map(({ hash }: Reply) => hash),
    hashes.slice(14 * 30, 15 * 30),
  );
  t.is((await indexed.api.get(`/api/v1${query}&limit=200&page=50`)).body.items.length, 0, 'after the last row');
});
