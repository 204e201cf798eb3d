import test from 'ava';
import { startApiBehindProxy } from '#test/helpers/api-behind-proxy.ts';
import type { ModelTx } from '#test/helpers/chain-model.ts';
import type { Json } from '#test/helpers/faulty-proxy.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { waitFor } from '#test/helpers/processes.ts';

let indexed: IndexedChain;

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 40, seed: 35 });
});

test.after.always(() => indexed?.stop());

const get = async (path: string) => indexed.api.get(`/api/v1${path}`);

test.serial('an untraced block is traced once, and a failed trace does not pause the node', async (t) => {
  const { api, proxy } = await startApiBehindProxy(t, indexed);
  const { block } = indexed.transfers[0]!;
  const count = async () => (await api.get(`/api?module=block&action=getblocktxnscount&blockno=${block}`)).body;
  let asked = 0;
  const change = (method: RegExp, changeReply: (reply: Json) => void) =>
    proxy.setFault(({ calls, replies }) => {
      const at = calls.findIndex((call) => method.test(call.method));
      if (at < 0) return 'untouched';
      asked++;
      changeReply(replies[at]);
      return 'changed';
    }, 100);
  const trace = /^(trace_block|debug_traceBlock)/;
  change(trace, (reply) => {
    reply.result = [{ error: 'execution timeout' }];
  });
  t.regex(String((await count()).result), /no trace of this block, and the node that was asked can't trace it now/);
  t.true(asked > 0);
  t.true(api.deps.client.health[0]!.healthy);
  t.true(api.deps.client.endpoints[0]!.available);
  change(/^eth_getBlockByNumber$/, (reply) => {
    reply.result.hash = `0x${'e'.repeat(64)}`;
  });
  t.regex(String((await count()).result), /can't trace it now/, 'the node has another block');
  asked = 0;
  change(trace, () => {});
  const [first, second] = await Promise.all([count(), count()]);
  t.is(first.status, '1');
  t.deepEqual([second, await count()], [first, first]);
  t.is(asked, 1);
});

test.serial('no reply is complete while no node answers, because newer blocks can exist', async (t) => {
  const unused = `0x${'5e'.repeat(20)}`;
  const before = await get(`/accounts/${unused}/transactions`);
  t.deepEqual([before.body.source, before.body.coverage.complete], ['addr-index-empty', true]);
  t.is((await get(`/tokens/${unused}`)).status, 404);
  t.is((await get('/supply/reconciliation')).body.stale, false);
  t.like((await get('/status')).body, { status: 'ok', writer: { state: 'ok', lagBlocks: 0 } });
  const [newest, earlier] = (await get('/strings?limit=2')).body.items;
  const snapshot = (time: number) => get(`/accounts/${unused}/snapshot?time=${time}`);
  t.is((await snapshot(newest.timestamp - 1)).body.block.number, earlier.number);
  const undecided = await snapshot(newest.timestamp);
  t.deepEqual([undecided.status, undecided.body.code], [503, 'indexing'], 'the next block can have the same time');
  const history = (more = '') => indexed.api.get(`/api?module=account&action=txlist&address=${unused}${more}`);
  t.is((await history()).body.message, 'No transactions found');
  const day = new Date(newest.timestamp * 1_000).toISOString().slice(0, 10);
  const daily = (date: string) => `module=stats&action=dailytx&startdate=${date}&enddate=${date}`;
  const holder = indexed.transfers.find(({ standard }) => standard === 'erc20')!;
  const current = [
    `module=account&action=tokenlist&address=${holder.to}`,
    `module=token&action=tokenholdercount&contractaddress=${holder.token}`,
    daily(day),
  ];
  for (const query of current) t.is((await indexed.api.get(`/api?${query}`)).body.status, '1', query);
  const isCredit = (tx: ModelTx) => tx.value > 0n && tx.status === 1 && tx.to !== null && tx.to !== tx.from;
  const credit = `/transactions/${indexed.blocks[9]!.txs.find(isCredit)!.hash}`;
  t.true((await get(credit)).body.creditable);
  await indexed.chain.stop();
  await waitFor(
    async () => !(await get('/strings?limit=1')).body.index.complete,
    40_000,
    'the index is not complete after 15 s without a node',
  );
  t.like((await get(credit)).body, { confirmed: true, creditable: false });
  const { body } = await get(`/accounts/${unused}/transactions`);
  t.deepEqual([body.source, body.coverage.complete], ['addr-index', false]);
  const past = await get(`/accounts/${unused}/transactions?to=20`);
  t.deepEqual([past.body.source, past.body.coverage.complete], ['addr-index-empty', true], 'old blocks are certain');
  const token = await get(`/tokens/${unused}`);
  t.is(token.status, 503);
  t.regex(token.body.detail, /no node reports whether there are blocks after block/);
  t.is((await get('/stats')).body.index.complete, false);
  const empty = await history();
  t.regex(empty.body.result ?? empty.body.message, /No node reports whether there are blocks after block/);
  t.is((await history('&endblock=20')).body.message, 'No transactions found', 'old blocks are certain');
  for (const query of current) {
    const reply = (await indexed.api.get(`/api?${query}`)).body;
    t.regex(String(reply.result), /No node reports whether there are blocks after block/, query);
  }
  t.is(
    (await indexed.api.get(`/api?${daily('2001-01-01')}`)).body.message,
    'No records found',
    'an ended day is certain',
  );
  const { body: time } = await indexed.api.get(
    '/api?module=block&action=getblocknobytime&timestamp=9999999999&closest=before',
  );
  t.is(time.status, '0', 'a block before this time can exist already');
  const supply = (await get('/supply/reconciliation')).body;
  t.deepEqual([supply.stale, supply.index.complete], [true, false]);
  t.is((await get('/supply/total')).headers.get('x-stale'), 'true');
  t.true((await get('/nativefat/price')).body.stale);
  const status = (await get('/status')).body;
  t.is(status.writer.state, 'out');
  t.true(status.alerts.includes('the node that receives transactions is not answering, or far behind'));
});
