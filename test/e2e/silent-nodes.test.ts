import test from 'ava';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { waitFor } from '#test/helpers/processes.ts';

let indexed: IndexedChain;

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 40, seed: 35 });
});

test.after.always(() => indexed?.stop());

const get = async (path: string) => indexed.api.get(`/api/v1${path}`);

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
  await indexed.chain.stop();
  await waitFor(
    async () => !(await get('/strings?limit=1')).body.index.complete,
    40_000,
    'the index is not complete after 15 s without a node',
  );
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
