import test from 'ava';
import type { DevChain } from '#devchain/devchain.ts';
import { ChainStateStore } from '#pipeline/store/chain-state-store.ts';
import { pause } from '#runtime/shutdown.ts';
import { readerGraceMs } from '#sql/snapshot.ts';
import {
  headReader,
  type RunningApi,
  startApi,
  startDevChain,
  startPipeline,
  startTestEngine,
  type TestEngine,
} from '#test/helpers/service.ts';

const tables = ['blocks', 'transactions', 'logs', 'address_roles'];

let engine: TestEngine;
let chain: DevChain;
let api: RunningApi;
let store: ChainStateStore;

test.before(async () => {
  [engine, chain] = await Promise.all([startTestEngine(), startDevChain({ blocks: 80 })]);
  const database = await engine.open('visibility');
  const pipeline = startPipeline({ database, urls: [chain.rpc.url] });
  await pipeline.caughtUp(headReader(chain));
  await pipeline.stop();
  api = await startApi(database, [chain.rpc.url]);
  store = new ChainStateStore(pipeline.deps);
  await store.load();
});

test.after.always(async () => {
  await api?.stop();
  await chain?.stop();
  await engine?.stop();
});

/** Waits until readers of the previous state have ended. */
async function publish(change: Parameters<ChainStateStore['publish']>[0]): Promise<void> {
  await store.publish(change);
  await pause(readerGraceMs);
}

async function heights(query = ''): Promise<number[]> {
  const { body } = await api.get(`/api/v1/strings?limit=200&order=asc${query}`);
  return body.items.map((item: { number: number }) => item.number);
}

const history = async () =>
  (await api.get(`/api/v1/accounts/${chain.world.accounts[3]}/transactions?limit=200`)).body.transactions;

test.serial('rule 3: blocks without completed backfill are hidden, reported as a gap, and never a 404', async (t) => {
  const before = store.state;
  t.is((await heights()).length, 81);
  await publish({ backfilledBefore: 10, followFrom: 40 });
  const seen = await heights();
  t.deepEqual(seen.slice(0, 11), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 40]);
  const page = (await api.get(`/api/v1/accounts/${chain.world.accounts[3]}/transactions?limit=200`)).body;
  t.false(page.coverage.complete);
  t.deepEqual(page.coverage.gaps, [{ from: 10, to: 39 }]);
  t.false(page.transactions.some((row: { blockNumber: number }) => row.blockNumber >= 10 && row.blockNumber < 40));
  const getTime = (block: number) => chain.genesisTime + block * 60;
  const times = [
    [`fromTime=${getTime(20)}&toTime=${getTime(43)}`, 10, 43],
    [`fromTime=${getTime(20)}&toTime=${getTime(30)}`, 10, 39],
    [`fromTime=${getTime(40)}&toTime=${getTime(43)}`, 10, 43],
    [`fromTime=${getTime(41)}&toTime=${getTime(43)}`, 41, 43],
  ] as const;
  for (const [period, from, to] of times) {
    const { body } = await api.get(`/api/v1/export/anchors/certificate?${period}`);
    const gaps = from === 10 ? [{ from: 10, to: 39 }] : [];
    t.like(body, { fromBlock: from, toBlock: to, gaps, complete: gaps.length === 0 }, period);
  }
  const unknown = await api.get(`/api/v1/transactions/0x${'ab'.repeat(32)}`);
  t.is(unknown.status, 503);
  t.is(unknown.body.code, 'indexing');
  await publish({ backfilledBefore: before.backfilledBefore, followFrom: before.followFrom });
  t.is((await heights()).length, 81);
});

for (const order of ['asc', 'desc'] as const) {
  test.serial(`walk reports until its end that blocks were filled in behind it, ${order}`, async (t) => {
    const whole = { backfilledBefore: store.state.backfilledBefore, followFrom: store.state.followFrom };
    const gap = { from: 30, to: 44 }; // finalized, because unfinalized blocks are always visible
    const path = `/api/v1/accounts/${chain.world.accounts[3]}/transactions?limit=3&order=${order}`;
    const read = async (cursor: string | null) =>
      (await api.get(cursor === null ? path : `${path}&cursor=${cursor}`)).body;
    const isPassed = (block: number) => (order === 'asc' ? block > gap.to : block < gap.from);
    const getBlock = (page: { transactions: { blockNumber: number }[] }) => page.transactions.at(-1)!.blockNumber;

    await publish({ backfilledBefore: gap.from, followFrom: gap.to + 1 });
    const first = await read(null);
    t.false(isPassed(getBlock(first)), 'the gap still lies ahead');
    let page = first;
    while (!isPassed(getBlock(page))) page = await read(page.nextCursor);
    const justPast = order === 'asc' ? gap.from + 1 : store.state.head - gap.to + 1;
    const anchors = (await api.get(`/api/v1/strings?order=${order}&limit=${justPast}`)).body;
    await publish(whole);

    do {
      page = await read(page.nextCursor);
      t.deepEqual(page.coverage.gaps, [gap]);
      t.false(page.coverage.complete || page.index.complete);
    } while (page.hasMore);
    const rest = (await api.get(`/api/v1/strings?order=${order}&limit=20&cursor=${anchors.nextCursor}`)).body;
    t.false(rest.index.complete);

    let seen = first.transactions.length;
    for (page = first; page.hasMore; seen += page.transactions.length) {
      page = await read(page.nextCursor);
      t.true(page.coverage.complete && page.index.complete, 'who had not come so far misses nothing');
    }
    t.is(seen, (await history()).length);
  });
}

test.serial(
  'every page of a list says that it ends at the head of the first page, although the index has grown',
  async (t) => {
    const { head, headHash } = store.state;
    const old = head - 5;
    const { hash } = await chain.rpc.call<{ hash: string }>('eth_getBlockByNumber', [`0x${old.toString(16)}`, false]);
    const account = chain.world.accounts[3];
    await publish({ head: old, headHash: hash });
    const paths = [
      `/accounts/${account}/transactions?order=asc&limit=9`,
      '/transactions?order=asc&limit=200',
      '/strings?limit=30',
    ];
    const firsts = await Promise.all(paths.map(async (path) => (await api.get(`/api/v1${path}`)).body));
    const list = `/api?module=account&action=txlist&address=${account}&sort=asc&offset=9`;
    const { headers } = await api.get(list);
    await publish({ head, headHash });
    for (const [i, path] of paths.entries())
      for (let cursor = firsts[i].nextCursor; cursor !== null; ) {
        const { body, headers } = await api.get(`/api/v1${path}&cursor=${cursor}`);
        t.like(body.index, { head: old, headHash: hash, lagBlocks: body.index.chainHead - old, complete: true });
        t.is(headers.get('x-index-head'), String(old));
        if (body.coverage) t.like(body.coverage, { to: old, indexedTo: old, complete: true });
        cursor = body.nextCursor;
      }
    t.is(headers.get('x-index-head'), String(old));
    for (let cursor = headers.get('x-next-cursor'); cursor !== null; ) {
      const { headers } = await api.get(`${list}&cursor=${cursor}`);
      t.is(headers.get('x-index-head'), String(old));
      cursor = headers.get('x-next-cursor');
    }
    t.is((await api.get(list)).headers.get('x-index-head'), String(head));
  },
);

test.serial('page scans a limited number of rows, and its cursor resumes there', async (t) => {
  const bounded = await startApi(api.deps.database, [chain.rpc.url], false, { pageScanRows: 30 });
  const account = chain.world.accounts[3];
  const { items: transactions } = (await api.get('/api/v1/transactions?limit=200')).body;
  const method = transactions.find((tx: { methodId: string }) => tx.methodId.length === 10).methodId;
  const zero = `0x${'0'.repeat(40)}`;
  const token = (await api.get('/api/v1/tokens?type=erc20')).body.items[0].address;
  for (const path of [
    `/accounts/${account}/transactions?minValue=2000000000000000000`,
    `/accounts/${account}/transactions?minValue=${10n ** 40n}`,
    `/accounts/${account}/transactions?role=to`,
    '/transactions?status=0',
    `/transactions?method=${method}`,
    `/transactions?minValue=${10n ** 40n}`,
    `/transactions?from=${account}&status=0`,
    `/tokentxns?standard=all&to=${zero}`,
    `/tokentxns?standard=all&from=${account}&token=${token}`,
    `/tokens/${token}/transfers?type=burn`,
    `/tokens/${token}/transfers?minValue=1000000`,
    `/tokens/${token}/transfers?minValue=${10n ** 40n}`,
    `/tokentxns?address=${account}&token=${token}&minValue=1000000`,
  ])
    for (const order of ['asc', 'desc']) {
      const query = `${path}&order=${order}`;
      const [wanted, pages] = [await readRows(api, query, 200), await readRows(bounded, query, 20)];
      t.deepEqual(pages.rows, wanted.rows, query);
      if (path.includes(String(10n ** 40n))) {
        t.deepEqual(pages.rows, []);
        t.true(pages.pages > 1, 'nothing found is no reason to look through everything at once');
        t.is(wanted.pages, 1);
      }
    }
  const empty = (await bounded.get(`/api/v1/accounts/${account}/transactions?minValue=${10n ** 40n}`)).body;
  t.like(empty, { transactions: [], hasMore: true, source: 'addr-index' }, 'not proven empty yet');
  t.is((await api.get(`/api/v1/accounts/${account}/transactions?minValue=x`)).body.code, 'bad_query');
  await bounded.stop();
});

async function readRows(from: RunningApi, path: string, limit: number) {
  const rows: unknown[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const { body } = await from.get(`/api/v1${path}&limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`);
    rows.push(...(body.items ?? body.transactions));
    cursor = body.nextCursor;
    pages++;
  } while (cursor !== null);
  return { rows, pages };
}

test.serial('rule 4: rows above the head and rows of an unfinished promotion are hidden', async (t) => {
  const { database } = api.deps;
  const { finalized, head } = store.state;
  const whole = await history();
  for (const table of tables) {
    const rows = (final: number, where: string) =>
      `(SELECT * FROM ${table} WHERE final = ${final} AND block_number ${where})`;
    await database.command(`INSERT INTO ${table} SELECT * REPLACE (1 AS final) FROM ${rows(0, `<= ${finalized + 3}`)}`);
    if (table === 'blocks') continue;
    const elsewhere = `SELECT * REPLACE (0 AS final, tx_index + 5000 AS tx_index) FROM ${rows(1, `BETWEEN ${finalized - 30} AND ${finalized}`)}`;
    await database.command(`INSERT INTO ${table} ${elsewhere}`);
  }
  t.deepEqual(await history(), whole, 'promoted too early, or not dropped yet: neither shows');
  const newest = (await api.get('/api/v1/transactions?limit=1')).body.items[0];
  t.true(newest.blockNumber > head - 5);
  await publish({ head: head - 5 });
  t.is(Math.max(...(await heights())), head - 5);
  t.regex((await api.get(`/api/v1/transactions/${newest.txHash}`)).body.code ?? '', /^(not_found|indexing)$/);
  await publish({ head });
  t.deepEqual(await history(), whole);
});

test.serial('rules 3 and 5: a request restarts when rows were removed during it', async (t) => {
  for (const change of [
    { reorgGeneration: store.state.reorgGeneration + 1 },
    { droppedThrough: store.state.finalized + 1, finalized: store.state.finalized + 1 },
  ]) {
    const seen: number[] = [];
    const result = await api.deps.snapshots.run(async (state) => {
      seen.push(state.version);
      if (seen.length === 1) await store.retract(change);
      return state.version;
    });
    t.is(seen.length, 2);
    t.is(result, store.state.version);
  }
});

test.serial('a request that reads only finalized blocks continues while unfinalized rows are removed', async (t) => {
  for (const [change, tries] of [
    [{ droppedThrough: store.state.finalized + 1, finalized: store.state.finalized + 1 }, 1],
    [{ reorgGeneration: store.state.reorgGeneration + 1 }, 2],
  ] as const) {
    let attempts = 0;
    await api.deps.snapshots.run(
      async () => {
        if (++attempts === 1) await store.retract(change);
      },
      { isExpensive: true, isFinal: true },
    );
    t.is(attempts, tries);
  }
});

test.serial('readers have time to end before rows are removed', async (t) => {
  const startedAt = performance.now();
  await store.retract({ reorgGeneration: store.state.reorgGeneration + 1 });
  t.true(performance.now() - startedAt >= readerGraceMs);
});

test.serial('a request sees every state that was published some milliseconds before it began', async (t) => {
  for (let i = 0; i < 5; i++) {
    await publish({ chainHead: store.state.chainHead + 1 });
    t.is(await api.deps.snapshots.run(async (state) => state.version), store.state.version);
  }
});

test.serial(
  'sums alone do not say that nodes answer, and reorgs of unfinalized blocks change no finalized row',
  async (t) => {
    const { state, finalizedChanges } = store;
    await pause(5);
    await store.publish({ rollupThrough: state.rollupThrough });
    await store.publish({});
    t.is(store.state.updatedAtMs, state.updatedAtMs);
    await store.retractUnfinalized(({ reorgGeneration }) => ({
      head: state.head,
      reorgGeneration: reorgGeneration + 1,
    }));
    t.true(store.state.updatedAtMs > state.updatedAtMs);
    t.is(store.finalizedChanges, finalizedChanges);
    await store.retract(({ reorgGeneration }) => ({ reorgGeneration: reorgGeneration + 1 }));
    t.is(store.finalizedChanges, finalizedChanges + 1);
  },
);
