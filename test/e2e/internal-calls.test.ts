import test, { type ExecutionContext } from 'ava';
import { parseEther } from 'ethers';
import PQueue from 'p-queue';
import { importManifest } from '#pipeline/sources/import-manifest.ts';
import { groupBy } from '#runtime/lists.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { codesJob, readMark } from '#sql/job-marks.ts';
import { readChainModel } from '#test/helpers/chain-model.ts';
import { everyCursor, everyPage, type Row } from '#test/helpers/compatible-chain.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import {
  buildModelCalls,
  groupByCode,
  type ModelCall,
  mineInternalCalls,
  payees,
  takesPart,
  toExpected,
  toView,
} from '#test/helpers/internal-traffic.ts';
import { toDocument, toId, toManifest } from '#test/helpers/manifests.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { chainId, headReader, type RunningApi, startApi, startDevChain, startPipeline } from '#test/helpers/service.ts';
import { walkItems } from '#test/helpers/walk.ts';

let indexed: IndexedChain;
let calls: ModelCall[];
let mover: string;

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 70, seed: 31 }, { traces: 'on' });
  mover = await mineInternalCalls(indexed.chain);
  await indexed.chain.mineLive(45);
  const { head } = await indexed.pipeline.caughtUp(headReader(indexed.chain));
  indexed = { ...indexed, head };
  calls = await buildModelCalls(indexed.chain, head);
});

test.after.always(() => indexed?.stop());

const asker = (api: RunningApi) => ({
  ...indexed,
  ask: async (query: string) => {
    const { headers, body } = await api.get(`/api?${query}`);
    return { ...body, next: headers.get('x-next-cursor') };
  },
});
const list = (query: string) => `module=account&action=txlistinternal${query}`;

async function isListed(t: ExecutionContext, api: RunningApi, query: string, expected: readonly ModelCall[]) {
  const offset = Math.max(4, Math.ceil(expected.length / 3));
  const asked = asker(api) as never;
  const ascending = await everyPage(asked, `${list(query)}&sort=asc`, offset);
  t.deepEqual(ascending.map(toView), expected.map(toExpected), query);
  if (expected.length === 0) return;
  const descending = await everyCursor(asked, `${list(query)}&sort=desc`, offset);
  t.deepEqual(descending.map(toView), [...expected].reverse().map(toExpected), `${query} backwards`);
}

test.serial('stored calls equal the traces, and the model holds every kind of call', async (t) => {
  const report = await indexed.pipeline.verify();
  t.deepEqual(report.differences, []);
  t.is(report.calls, calls.length);
  t.deepEqual([...new Set(calls.map(({ type }) => type))].sort(), ['call', 'create', 'create2', 'selfdestruct']);
  t.true(calls.some(({ failed }) => failed) && calls.some(({ type, value }) => type === 'selfdestruct' && value > 0n));
});

test.serial('txlistinternal of every address returns both orders on all pages', async (t) => {
  const addresses = new Set(calls.flatMap(({ from, to, created }) => [from, to, created]).filter(Boolean));
  const queue = new PQueue({ concurrency: 6 });
  await queue.addAll(
    [...addresses].map((address) => () => {
      return isListed(t, indexed.api, `&address=${address}`, calls.filter(takesPart(address)));
    }),
  );
  const nobody = await indexed.api.get(`/api?${list(`&address=0x${'99'.repeat(20)}`)}`);
  t.like(nobody.body, { status: '0', message: 'No transactions found', result: [] });
});

test.serial('txlistinternal filters by side, block and transaction', async (t) => {
  const [a, b] = payees as [string, string];
  const within = (from: number, to: number) => (call: ModelCall) => call.block >= from && call.block <= to;
  const cases: [string, (call: ModelCall) => boolean][] = [
    [`&from=${mover}`, (call) => call.from === mover],
    [`&to=${a}`, (call) => call.to === a],
    [`&from=${mover}&to=${b}&fromto_opr=and`, (call) => call.from === mover && call.to === b],
    [`&from=${mover}&to=${b}&fromto_opr=or`, (call) => call.from === mover || call.to === b],
    [`&address=${a}&from=${mover}`, (call) => call.from === mover && call.to === a],
    ['&startblock=0&endblock=99999999', () => true],
    ['&startblock=60&endblock=73', within(60, 73)],
    [`&address=${mover}&startblock=72&endblock=latest`, (call) => takesPart(mover)(call) && call.block >= 72],
  ];
  for (const [query, holds] of cases) await isListed(t, indexed.api, query, calls.filter(holds));
  t.is((await indexed.api.get(`/api?${list('')}`)).body.result, 'Error! Missing address');
  const hashes = [...new Set(calls.filter(takesPart(mover)).map(({ hash }) => hash))];
  for (const txhash of hashes) {
    const { result } = (await indexed.api.get(`/api?${list(`&txhash=${txhash}`)}`)).body;
    const expected = calls.filter(({ hash }) => hash === txhash).map(toExpected);
    t.deepEqual(
      result.map((row: Row, i: number) => toView({ ...row, hash: txhash, traceId: expected[i]![2] })),
      expected,
    );
    t.false('hash' in result[0] || 'traceId' in result[0]);
  }
  const { block } = calls.at(-1)!;
  const counts = await indexed.api.get(`/api?module=block&action=getblocktxnscount&blockno=${block}`);
  t.is(counts.body.result.internalTxsCount, calls.filter((call) => call.block === block).length);
});

test.serial('similar contracts are those with the same code on the node', async (t) => {
  const { rpc } = indexed.chain;
  const { finalized } = (await indexed.pipeline.state())!;
  const isRead = async () => (await readMark(indexed.pipeline.deps, codesJob)) >= finalized;
  await waitFor(isRead, 30_000, 'the codes of contracts are read');
  const through = await readMark(indexed.pipeline.deps, codesJob);
  const groups = await groupByCode(rpc, await readChainModel(rpc, through), calls);
  const isByContract = (address: string) => calls.some(({ created }) => created === address);
  t.true(groups.some((group) => group.filter(isByContract).length > 1));
  const similarTo = async (address: string) =>
    (await walkItems(indexed.api, `/contracts/${address}/similar?limit=2`)).map((row) => row.address);
  for (const [first, ...others] of groups) t.deepEqual(await similarTo(first!), others, first);
  const [asked, changed] = groups.find(({ length }) => length > 1)!;
  const { coverage } = (await indexed.api.get(`/api/v1/contracts/${asked}/similar`)).body;
  t.deepEqual(coverage, { through, internal: true });
  const code = await rpc.call('eth_getCode', [changed!, 'latest']);
  await rpc.call('anvil_setCode', [changed!, '0x00']);
  t.false((await similarTo(asked!)).includes(changed!), 'a contract whose code changed');
  await rpc.call('anvil_setCode', [changed!, code]);
  t.is((await indexed.api.get(`/api/v1/contracts/0x${'12'.repeat(20)}/similar`)).status, 404);
});

test.serial('queries and the chart of contracts made by contracts count the traces', async (t) => {
  const made = calls.filter(({ created, failed }) => created !== '' && !failed);
  t.true(made.length > 5);
  const { get } = indexed.api;
  const query = (more: string) => get(`/api/v1/stats/query?of=internal_creations&from=0&resolution=all${more}`);
  const { series } = (await query('&groupBy=creator')).body;
  const byCreator = groupBy(made, ({ from }) => from);
  t.deepEqual(
    Object.fromEntries(series.map(({ keys, total }: Row) => [keys.creator, Number(total)])),
    Object.fromEntries([...byCreator].map(([creator, own]) => [creator, own.length])),
  );
  const chart = await get('/api/v1/stats/charts/newContractsByContracts?resolution=hour&from=0');
  const counts = chart.body.points.map(({ value }: Row) => Number(value));
  t.is(
    counts.reduce((sum: number, count: number) => sum + count, 0),
    made.length,
  );
});

test.serial('charts of flows of exchanges count internal transfers', async (t) => {
  const [exchange] = payees as [string];
  const entities = [exchange, mover].map((address, i) => ({
    ...{ kind: 'wallet', label: `Desk ${i}`, id: toId(`Desk ${i}`), address, category: 'exchange' },
  }));
  await importManifest(indexed.pipeline.deps, toDocument(toManifest(entities)), { chainId });
  const isExchange = (address: string | null) => address === exchange || address === mover;
  const blocks = await readChainModel(indexed.chain.rpc, indexed.head);
  const paid = blocks
    .flatMap(({ txs }) => txs)
    .filter(({ status }) => status === 1)
    .map(({ from, to, created, value }) => ({ from, to: to ?? created, value }));
  const moved = [
    ...paid,
    ...calls.filter(({ failed }) => !failed).map((one) => ({ ...one, to: one.to || one.created })),
  ];
  const sumBy = (side: 'from' | 'to') =>
    moved.filter((one) => isExchange(one[side])).reduce((sum, { value }) => sum + value, 0n);
  const readSum = async (id: string) => {
    const { body } = await indexed.api.get(`/api/v1/stats/charts/${id}?resolution=hour&from=0`);
    return body.points.reduce((sum: bigint, { value }: Row) => sum + parseEther(value), 0n);
  };
  t.deepEqual([await readSum('exchangeInflow'), await readSum('exchangeOutflow')], [sumBy('to'), sumBy('from')]);
  t.true(sumBy('to') > 0n && sumBy('from') > 0n && sumBy('to') !== sumBy('from'));
});

test.serial('history shows payments by contracts in order, with the role internal', async (t) => {
  const effective = calls.filter(({ failed }) => !failed);
  for (const address of [...payees, mover, indexed.chain.world.accounts[3]!, indexed.chain.world.accounts[7]!]) {
    const inner = new Set(effective.filter(takesPart(address)).map(({ hash }) => hash));
    const rows: Row[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await indexed.api.get(`/api/v1/accounts/${address}/transactions?limit=7${cursor}`);
      rows.push(...body.transactions);
      t.like(body.coverage, { internal: true, internalRanges: [{ from: 0, to: indexed.head }] });
      if (!body.hasMore) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    const places = rows.map((row) => row.blockNumber * 10_000 + row.txIndex);
    t.deepEqual(
      places,
      [...new Set(places)].sort((x, y) => y - x),
    );
    const withRole = rows.filter((row) => row.roles.includes('internal'));
    t.deepEqual(withRole.map((row) => row.txHash).sort(), [...inner].sort(), address);
    const only = await indexed.api.get(`/api/v1/accounts/${address}/transactions?role=internal&limit=200&order=asc`);
    t.deepEqual(only.body.transactions, withRole.reverse(), address);
  }
  const { body } = await indexed.api.get(`/api/v1/accounts/${payees[1]}/transactions?limit=200`);
  t.true(body.transactions.some((row: Row) => row.role === 'internal' && row.roles.length === 1));
});

test.serial('the funding of an account is its first transfer, also by a contract', async (t) => {
  const blocks = await readChainModel(indexed.chain.rpc, indexed.head);
  const paid = blocks.flatMap(({ txs }) => txs).filter(({ value, status }) => value > 0n && status === 1);
  const inside = calls.filter(({ value, failed }) => value > 0n && !failed);
  let byContract = 0;
  for (const account of [...payees, mover, ...indexed.chain.world.accounts.slice(2, 5)]) {
    const first = [
      ...paid
        .filter(({ to, created }) => (to ?? created) === account)
        .map(({ block, hash, from }) => ({ block, hash, from, isInside: false })),
      ...inside
        .filter(({ to }) => to === account)
        .map(({ block, hash, from }) => ({ block, hash, from, isInside: true })),
    ].sort((x, y) => x.block - y.block)[0];
    const { body } = await indexed.api.get(`/api?module=account&action=fundedby&address=${account}`);
    if (first?.isInside) byContract++;
    if (first) t.like(body.result, { block: first.block, fundingTxn: first.hash, fundingAddress: first.from }, account);
    else t.is(body.message, 'No transactions found', account);
  }
  t.true(byContract > 0);
});

test.serial('internal transfers add up to balances, and the balances job read those accounts', async (t) => {
  const { database } = indexed.pipeline.deps;
  const { finalized } = (await indexed.pipeline.state())!;
  const statement = {
    ...resolveStatement('chain_state'),
    sql: "SELECT concat('0x', lower(hex(address))) AS address, toString(argMax(balance, block_number)) AS balance FROM account_balances GROUP BY address",
  };
  for (const payee of payees) {
    const paid = calls.filter((call) => call.to === payee && !call.failed);
    const balance = BigInt(await indexed.chain.rpc.call<string>('eth_getBalance', [payee, 'latest']));
    t.is(
      paid.reduce((sum, { value }) => sum + value, 0n),
      balance,
    );
    const settled = paid.filter(({ block }) => block <= finalized).reduce((sum, { value }) => sum + value, 0n);
    t.true(settled > 0n);
    const isRead = async () => {
      const rows = await database.read<{ address: string; balance: string }>(statement);
      return rows.some((row) => row.address === payee && BigInt(row.balance) >= settled);
    };
    await waitFor(isRead, 20_000, `the balance of ${payee} is kept`);
  }
});

test.serial('transaction page shows its indexed internal transfers', async (t) => {
  const call = calls.find(({ type, failed }) => type === 'selfdestruct' && !failed)!;
  const { status, body } = await indexed.api.get(`/tx/${call.hash}?tab=internal`);
  t.is(status, 200);
  t.regex(body, /from the index/);
  t.true(body.toLowerCase().includes(call.to) && body.includes('selfdestruct'));
});

test.serial('tracing enabled late reports its coverage and continues down to the start, over restarts', async (t) => {
  const own = await startDevChain({ blocks: 60, seed: 32 });
  t.teardown(() => own.stop());
  await mineInternalCalls(own, 2);
  await own.mineLive(40);
  const database = await indexed.engine.open('late');
  const start = (traces: boolean, url = own.rpc.url) =>
    startPipeline({ database, urls: [url], verifyUrls: [own.rpc.url], settings: { traces: traces ? 'on' : 'off' } });
  let pipeline = start(false);
  t.teardown(() => pipeline.stop());
  const { head } = await pipeline.caughtUp(headReader(own));
  const model = await buildModelCalls(own, head);
  const api = await startApi(database, [own.rpc.url]);
  t.teardown(() => api.stop());
  const history = async () => (await api.get(`/api/v1/accounts/${payees[0]}/transactions`)).body;
  t.like((await history()).coverage, { internal: false, internalRanges: [] });
  t.regex((await api.get(`/api?${list(`&address=${mover}`)}`)).body.result, /not indexed here/);
  const live = (await api.get(`/api?${list(`&txhash=${model[0]!.hash}`)}`)).body.result;
  t.is(live[0].value, String(model[0]!.value));
  for (let i = 0; i < 3; i++) {
    await pipeline.stop();
    pipeline = start(true);
    await waitFor(async () => (await history()).coverage.internalRanges.length > 0, 20_000, 'something is traced');
  }
  // only finalized blocks are traced
  await own.mineLive(60);
  await waitFor(
    async () => (await pipeline.state())?.head === (await headReader(own)()) && (await history()).coverage.internal,
    60_000,
    'all of history is traced',
  );
  const now = await buildModelCalls(own, (await pipeline.state())!.head);
  await isListed(t, api, '&startblock=0&endblock=latest', now);
  const report = await pipeline.verify();
  t.deepEqual(report.differences, []);
  t.is(report.calls, now.length);
  // contracts in blocks traced later are found too
  const groups = await groupByCode(own.rpc, await readChainModel(own.rpc, (await pipeline.state())!.finalized), now);
  const [asked, ...others] = groups.find((group) => group.length > 2)!;
  t.deepEqual(
    (await walkItems(api, `/contracts/${asked}/similar`)).map((row) => row.address),
    others,
  );
});
