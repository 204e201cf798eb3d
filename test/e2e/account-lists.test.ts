import test from 'ava';
import type { Row } from '#test/helpers/compatible-chain.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { buildModelCalls, type ModelCall, mineInternalCalls, payees } from '#test/helpers/internal-traffic.ts';
import { attribute, findForeignContent, readPage } from '#test/helpers/page-reader.ts';
import { headReader } from '#test/helpers/service.ts';

let indexed: IndexedChain;
let calls: ModelCall[];
let mover: string;
/** Transactions with their receipts, oldest first, as the node returns them. */
let transactions: Row[];

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 50, seed: 34 }, { traces: 'on' });
  mover = await mineInternalCalls(indexed.chain);
  const { head } = await indexed.pipeline.caughtUp(headReader(indexed.chain));
  calls = await buildModelCalls(indexed.chain, head);
  transactions = [];
  for (let number = 0; number <= head; number++) {
    const tag = `0x${number.toString(16)}`;
    const block = await indexed.chain.rpc.call<Row>('eth_getBlockByNumber', [tag, true]);
    const receipts = await indexed.chain.rpc.call<Row[]>('eth_getBlockReceipts', [tag]);
    for (const [i, tx] of block.transactions.entries()) transactions.push({ ...tx, receipt: receipts[i] });
  }
});

test.after.always(() => indexed?.stop());

async function everyItem(path: string, field = 'items'): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await indexed.api.get(`/api/v1${path}${path.includes('?') ? '&' : '?'}limit=9${cursor}`);
    if (status !== 200) throw new Error(`${path} returned ${status}: ${JSON.stringify(body)}`);
    rows.push(...body[field]);
    if (!body.hasMore) return rows;
    cursor = `&cursor=${body.nextCursor}`;
  }
}

test('internal transfers of an account equal the traces, in both orders, by side and on all pages', async (t) => {
  const toView = (row: Row) => [row.blockNumber, row.txHash, row.traceId, row.kind, row.from, row.to, row.value];
  const toExpected = ({ block, hash, traceId, type, from, to, created, value }: ModelCall) => [
    block,
    hash,
    traceId,
    type,
    from,
    to || created || null,
    String(value),
  ];
  for (const address of [mover, ...payees]) {
    const own = calls.filter(({ from, to, created }) => [from, to, created].includes(address));
    const rows = await everyItem(`/accounts/${address}/internal?order=asc`);
    t.deepEqual(rows.map(toView), own.map(toExpected));
    t.deepEqual(
      rows.map(({ error }) => error !== null),
      own.map(({ failed }) => failed),
    );
    t.deepEqual((await everyItem(`/accounts/${address}/internal`)).map(toView), own.toReversed().map(toExpected));
    const sent = own.filter(({ from }) => from === address);
    t.deepEqual(
      (await everyItem(`/accounts/${address}/internal?side=from&order=asc`)).map(toView),
      sent.map(toExpected),
    );
  }
  t.true(calls.some(({ failed }) => failed));
  const { body } = await indexed.api.get(`/api/v1/accounts/${mover}/internal`);
  t.like(body.coverage, { internal: true });
  for (const { blockNumber, blockHash } of body.items)
    t.is(blockHash, (await indexed.api.get(`/api/v1/strings/${blockNumber}`)).body.hash);
  const page = await readPage(indexed.api, `/address/${mover}?tab=internal&side=from`);
  t.deepEqual(findForeignContent(page), []);
  t.regex(page.text, /create reverted this address/);
});

test.serial('internal transfers are filtered by the other side and value, in pages that read few rows', async (t) => {
  const { settings } = indexed.api.deps;
  const { pageScanRows } = settings;
  Object.assign(settings, { pageScanRows: 2 });
  t.teardown(() => Object.assign(settings, { pageScanRows }));
  const getOther = ({ from, to, created }: ModelCall, self: string) => (from === self ? to || created : from);
  for (const self of [mover, ...payees]) {
    const own = calls.filter(({ from, to, created }) => [from, to, created].includes(self));
    const [other] = own.map((call) => getOther(call, self)).filter(Boolean);
    const least = own.map(({ value }) => value).sort((a, b) => Number(a - b))[own.length >> 1]!;
    const cases: [string, (call: ModelCall) => boolean][] = [
      [`counterparty=${other}`, (call) => getOther(call, self) === other],
      [`side=to&counterparty=${other}`, ({ from }) => from === other],
      [`minValue=${least}`, ({ value }) => value >= least],
      [`side=from&minValue=${least}`, ({ from, value }) => from === self && value >= least],
    ];
    for (const [query, holds] of cases)
      for (const order of ['asc', 'desc']) {
        const rows = await everyItem(`/accounts/${self}/internal?order=${order}&${query}`);
        const wanted = own.filter(holds).map(({ hash, traceId }) => [hash, traceId]);
        if (order === 'desc') wanted.reverse();
        t.deepEqual(
          rows.map(({ txHash, traceId }) => [txHash, traceId]),
          wanted,
          `${self} ${order} ${query}`,
        );
      }
  }
  const page = await readPage(indexed.api, `/address/${mover}?tab=internal&counterparty=${payees[0]}&least=0.000001`);
  t.deepEqual(findForeignContent(page), []);
  const refused = await readPage(indexed.api, `/address/${mover}?tab=internal&least=much`);
  t.regex(refused.text, /An amount must be a number such as 1,500 or 0.25, here with at most 18 decimals/);
});

test('internal transfers of blocks that do not exist yet are not reported as known', async (t) => {
  const head = transactions.at(-1)!.receipt.blockNumber * 1;
  const internal = async (query: string) =>
    (await indexed.api.get(`/api/v1/accounts/${mover}/internal?${query}`)).body.coverage.internal;
  t.true(await internal(`fromBlock=${head - 1}`));
  t.true(await internal(`fromBlock=${head - 1}&toBlock=${head + 2}`), 'the chain ends at the head');
  t.false(await internal(`fromBlock=${head + 1}&toBlock=${head + 2}`));
  t.false(await internal(`fromBlock=${head + 1}`));
  const nobody = `0x${'13'.repeat(20)}`;
  const source = async (query: string) =>
    (await indexed.api.get(`/api/v1/accounts/${nobody}/transactions?${query}`)).body.source;
  t.is(await source('role=internal'), 'addr-index-empty');
});

test('history filters by method, counterparty and value', async (t) => {
  const account = indexed.chain.world.accounts[4]!;
  const lower = (text: string | null) => text?.toLowerCase() ?? null;
  const own = transactions.filter(({ from, to }) => [lower(from), lower(to)].includes(account));
  const [method] = own.map(({ input }) => input.slice(0, 10)).filter((selector) => selector.length === 10);
  const [other] = own
    .filter(({ from }) => lower(from) === account)
    .map(({ to }) => lower(to))
    .filter(Boolean);
  const cases: [string, (tx: Row) => boolean][] = [
    [`method=${method}`, ({ input }) => input.startsWith(method)],
    [`counterparty=${other}`, ({ from, to }) => lower(from) === other || lower(to) === other],
    [`method=${method}&counterparty=${other}`, ({ input, to }) => input.startsWith(method) && lower(to) === other],
    ['role=from&minValue=1', ({ from, value }) => lower(from) === account && BigInt(value) > 0n],
  ];
  for (const [query, holds] of cases) {
    const rows = await everyItem(`/accounts/${account}/transactions?order=asc&${query}`, 'transactions');
    const named = rows.filter(({ from, to }) => [from, to].includes(account));
    t.deepEqual(
      named.map(({ txHash }) => txHash),
      own.filter(holds).map(({ hash }) => hash),
      query,
    );
    t.true(named.length > 0, query);
  }
  const refused = await indexed.api.get(`/api/v1/accounts/${account}/transactions?role=internal&method=${method}`);
  t.is(refused.status, 400);
  const changed = await indexed.api.get(`/api/v1/accounts/${account}/transactions?limit=1`);
  const mixed = await indexed.api.get(
    `/api/v1/accounts/${account}/transactions?limit=1&method=${method}&cursor=${changed.body.nextCursor}`,
  );
  t.is(mixed.body.code, 'invalid_cursor', 'a cursor belongs to its filters');
});

test('logs of a contract equal the receipts, filtered by topics, on all pages', async (t) => {
  const all = transactions.flatMap(({ receipt }) => receipt.logs as Row[]);
  const address = all.find(({ topics }) => topics[0].startsWith('0xddf252ad'))!.address.toLowerCase();
  const own = all.filter((log) => log.address.toLowerCase() === address);
  const toView = (log: Row) => [Number(log.blockNumber), Number(log.logIndex), log.topics, log.data];
  const path = `/contracts/${address}/logs`;
  t.deepEqual((await everyItem(`${path}?order=asc`)).map(toView), own.map(toView));
  t.deepEqual((await everyItem(path)).map(toView), own.toReversed().map(toView));
  const { topics } = own.findLast((log) => log.topics[0].startsWith('0xddf252ad'))!;
  const same = own.filter((log) => log.topics[0] === topics[0] && log.topics[1] === topics[1]);
  const filtered = await everyItem(`${path}?order=asc&topic0=${topics[0]}&topic1=${topics[1]}`);
  t.deepEqual(filtered.map(toView), same.map(toView));
  const { body } = await indexed.api.get(`/api/v1${path}?limit=1&decode=true&topic0=${topics[0]}`);
  t.is(body.items[0].decoded.name, 'Transfer');
  const page = await readPage(indexed.api, `/address/${address}?tab=events&topic0=${topics[0]}`);
  t.deepEqual(findForeignContent(page), []);
  t.regex(page.text, /Transfer .* only this event/);
});

test('forms of lists accept names, dates and amounts, and say what is wrong', async (t) => {
  const account = indexed.chain.world.accounts[4]!;
  const address = `/address/${account}`;
  const page = await readPage(
    indexed.api,
    `${address}?method=0xa9059cbb&least=0&since=2020-01-01&until=2100-01-01&limit=50`,
  );
  t.is(page.status, 200);
  t.deepEqual(findForeignContent(page), []);
  const old = await readPage(indexed.api, `${address}?until=2001-01-01`);
  t.regex(old.text, /No matching transactions/);
  const wrong: [string, RegExp][] = [
    [`${address}?since=yesterday`, /a date must have the form/i],
    [`${address}?least=-1`, /An amount must be a number/i],
    [`${address}?method=noSuchMethodAnywhere`, /no known method is named/i],
    [`${address}?method=transfer`, /known methods are named transfer/],
    [`${address}?tab=transfers&counterparty=${mover}`, /choose sent or received/i],
    [`${address}?tab=transfers&side=from&counterparty=0x12`, /“With” must be an address/],
    [`/txs?least=1e5`, /An amount must be a number/i],
  ];
  for (const [path, text] of wrong) {
    const { status, text: shown } = await readPage(indexed.api, path);
    t.is(status, 400, path);
    t.regex(shown, text);
    t.regex(shown, /Since Until Order/, `${path} shows the form again`);
  }
  t.is((await readPage(indexed.api, `/txs?method=transfer(address,uint256)`)).status, 200);
});

test('lists with several pages show how many rows match, or a link that counts them', async (t) => {
  const [account, other] = [indexed.chain.world.accounts[4]!, indexed.chain.world.accounts[2]!];
  const { address, topics } = transactions
    .flatMap(({ receipt }) => receipt.logs as Row[])
    .find((log) => log.topics[0].startsWith('0xddf252ad') && log.data.length > 2)!;
  const token = address.toLowerCase();
  const { decimals } = (await indexed.api.get(`/api/v1/tokens/${token}`)).body;
  const least = `1${'0'.repeat(decimals - 3)}`;
  const dates = 'since=2020-01-01&until=2100-01-01';
  const cases: [page: string, list: string, field?: string][] = [
    ['/txs?', '/transactions'],
    ['/blocks?', '/strings'],
    [`/token/${token}?`, `/tokens/${token}/transfers`],
    [`/token/${token}?tab=holders`, `/tokens/${token}/holders`],
    ['/txs?status=0', '/transactions?status=0'],
    [`/txs?from=${account}&least=0.5&${dates}`, `/transactions?from=${account}&minValue=500000000000000000`],
    [`/txs?to=${token}`, `/transactions?to=${token}`],
    [`/address/${account}?role=from&${dates}`, `/accounts/${account}/transactions?role=from`, 'transactions'],
    [
      `/address/${other}?role=to&least=0.01`,
      `/accounts/${other}/transactions?role=to&minValue=10000000000000000`,
      'transactions',
    ],
    [`/address/${token}?role=to`, `/accounts/${token}/transactions?role=to`, 'transactions'],
    [`/address/${account}?tab=transfers`, `/tokentxns?standard=all&address=${account}`],
    [`/address/${account}?tab=transfers&side=from`, `/tokentxns?standard=all&from=${account}`],
    [
      `/address/${account}?tab=transfers&side=to&token=${token}`,
      `/tokentxns?standard=all&to=${account}&token=${token}`,
    ],
    [
      `/address/${account}?tab=transfers&token=${token}&least=0.001`,
      `/tokentxns?standard=all&address=${account}&token=${token}&minValue=${least}`,
    ],
    [`/token/${token}?least=0.001&${dates}`, `/tokens/${token}/transfers?minValue=${least}`],
    [`/address/${token}?tab=events&${dates}`, `/contracts/${token}/logs`],
    [`/address/${token}?tab=events&topic0=${topics[0]}`, `/contracts/${token}/logs?topic0=${topics[0]}`],
  ];
  for (const [path, list, field] of cases) {
    const rows = (await everyItem(list, field)).length;
    t.true(rows > 1, list);
    const page = await readPage(indexed.api, `${path}&limit=1`);
    const link = page.elements.find((element) => attribute(element, 'href')?.startsWith('/charts/query?of='));
    const counted = link ? await readPage(indexed.api, attribute(link, 'href')!) : page;
    const text = link ? `Total ${rows} ` : ` ${rows} [a-z]+ up to block \\d+`;
    t.regex(counted.text, new RegExp(text), `${path}: ${counted.text.slice(-600)}`);
  }
});

test('feeds are Atom documents that every page names', async (t) => {
  const page = await readPage(indexed.api, '/');
  const named = page.elements.filter((element) => attribute(element, 'type') === 'application/atom+xml');
  t.deepEqual(
    named.map((element) => attribute(element, 'href')),
    ['/feeds/reorgs.xml', '/feeds/contracts.xml'],
  );
  for (const element of named) {
    const feed = await indexed.api.get(attribute(element, 'href')!);
    t.is(feed.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
    t.regex(
      feed.body,
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<feed xmlns="http:\/\/www.w3.org\/2005\/Atom">.*<updated>/,
    );
  }
});

test('balances over time equal those of the node', async (t) => {
  const account = indexed.chain.world.accounts[2]!;
  const { body } = await indexed.api.get(`/api/v1/accounts/${account}/balances?points=5`);
  const { finalized } = (await indexed.pipeline.state())!;
  t.is(body.items.length, 5);
  t.is(body.items.at(-1).blockNumber, finalized);
  t.true(body.complete);
  for (const { blockNumber, balance } of body.items) {
    const held = await indexed.chain.rpc.call<string>('eth_getBalance', [account, `0x${blockNumber.toString(16)}`]);
    t.is(balance, String(BigInt(held)), String(blockNumber));
  }
  const bounded = await indexed.api.get(`/api/v1/accounts/${account}/balances?fromBlock=3&toBlock=5&points=10`);
  t.deepEqual(
    bounded.body.items.map((item: Row) => item.blockNumber),
    [3, 4, 5],
  );
  t.is((await indexed.api.get(`/api/v1/accounts/${account}/balances?fromBlock=9&toBlock=5`)).status, 400);
  const page = await readPage(indexed.api, `/address/${account}?tab=balance`);
  t.deepEqual(findForeignContent(page), []);
  t.regex(page.text, /Balance after finalized blocks/);
});
