/** The semantic-history interface: export and checkpoints. @source docs/identity.md#checkpoints */
import test from 'ava';
import { type HDNodeWallet, Wallet } from 'ethers';
import type { z } from 'zod';
import { verifyCheckpoints } from '#api/read/checkpoints/verify-checkpoints.ts';
import type { HistoryRow } from '#api/routes/history-row.ts';
import { devAccountCount } from '#devchain/anvil.ts';
import { devWallet } from '#devchain/dev-wallets.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { readChainState } from '#sql/snapshot.ts';
import { bearer, link, mintKey, post, signIn } from '#test/helpers/identity.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { findForeignContent, readPage } from '#test/helpers/page-reader.ts';
import { headReader, type RunningApi, startApi } from '#test/helpers/service.ts';

type Row = z.output<typeof HistoryRow>;

let indexed: IndexedChain;
let api: RunningApi;
let key: string;
const operator = Wallet.createRandom();
let owner: HDNodeWallet;

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 150, seed: 12 });
  const { database } = indexed.pipeline.deps;
  api = await startApi(database, [indexed.chain.rpc.url], true, { operatorWallets: operator.address });
  owner = busiest();
  key = (await mintKey(api, await signIn(api, owner))).key;
});

test.after.always(async () => {
  await api?.stop();
  await indexed?.stop();
});

function busiest(): HDNodeWallet {
  const sent = new Map<string, number>();
  for (const { txs } of indexed.blocks) for (const { from } of txs) sent.set(from, (sent.get(from) ?? 0) + 1);
  const accounts = Array.from({ length: devAccountCount }, (_, index) => devWallet(index));
  const count = ({ address }: HDNodeWallet) => sent.get(address.toLowerCase()) ?? 0;
  return accounts.reduce((one, other) => (count(other) > count(one) ? other : one));
}

const history = (query: string, headers: Record<string, string> = { 'x-api-key': key }) =>
  api.get(`/v1/history/${owner.address}?${query}`, { headers });

test.serial(
  'paged export returns each row once, as the account endpoint does, while the chain grows and reorgs',
  async (t) => {
    const to = indexed.head - 40;
    for (const order of ['asc', 'desc']) {
      const rows: Row[] = [];
      let cursor = '';
      for (let page = 0; ; page++) {
        if (page % 10 === 3) {
          await indexed.chain.mineLive(1);
          await indexed.chain.reorg(2);
          await indexed.pipeline.caughtUp(headReader(indexed.chain));
        }
        const { status, body } = await history(`from=3&to=${to}&limit=7&order=${order}${cursor}`);
        t.is(status, 200, JSON.stringify(body));
        rows.push(...body.transactions);
        t.is(body.hasMore, body.nextCursor !== null);
        if (!body.hasMore) break;
        cursor = `&cursor=${body.nextCursor}`;
      }
      t.true(rows.length > 50);
      const account = await api.get(
        `/api/v1/accounts/${owner.address}/transactions?from=3&to=${to}&limit=200&order=${order}`,
      );
      const finalized = (row: Row) => ({ ...row, confirmations: 0 });
      t.deepEqual(rows.map(finalized).slice(0, 200), account.body.transactions.map(finalized));
      t.is(new Set(rows.map((row) => row.txHash)).size, rows.length);
      t.is((await history('limit=500')).body.limit, 200);
    }
  },
);

test.serial(
  'semantic history returns identical bytes, and a cursor fits only its caller, wallet and window',
  async (t) => {
    const path = `from=1&to=${indexed.head - 40}&limit=5`;
    const [one, other] = await Promise.all([
      history(path),
      api.get(`/api/v1/accounts/${owner.address}/transactions?${path}`),
    ]);
    t.is(JSON.stringify(one.body.transactions), JSON.stringify(other.body.transactions));
    const { nextCursor } = one.body;
    const asOperator = bearer(await signIn(api, operator));
    const next = await history(`${path}&cursor=${nextCursor}`);
    t.is(next.status, 200);
    const { transactions } = (await history(`${path}&page=2`)).body;
    t.deepEqual(transactions, next.body.transactions, 'pages by number use cursors of the caller');
    t.is((await history(`${path}&cursor=${nextCursor}`, asOperator)).body.code, 'invalid_cursor');
    t.is((await history(`from=2&to=9&limit=5&cursor=${nextCursor}`)).body.code, 'invalid_cursor');
    t.is(
      (await api.get(`/api/v1/accounts/${owner.address}/transactions?${path}&cursor=${nextCursor}`)).body.code,
      'invalid_cursor',
    );
    const token = await signIn(api, owner);
    const second = Wallet.createRandom();
    await link(api, token, second);
    const elsewhere = await api.get(`/v1/history/${second.address}?${path}&cursor=${nextCursor}`, {
      headers: bearer(token),
    });
    t.is(elsewhere.body.code, 'invalid_cursor');
    const empty = await api.get(`/v1/history/${second.address}`, { headers: bearer(token) });
    t.deepEqual([empty.body.source, empty.body.transactions], ['addr-index-empty', []]);
  },
);

test.serial('checkpoints form a signed chain and reveal later changes', async (t) => {
  const headers = bearer(await signIn(api, operator));
  const make = () => post(api, '/v1/checkpoint', {}, headers);
  const [first, twin] = await Promise.all([make(), make()]);
  t.is(first.status, 202);
  t.is(first.body.root, twin.body.root, 'one checkpoint for both');
  t.is((await make()).body.root, first.body.root, 'and for the same block');
  const { database } = indexed.pipeline.deps;
  const state = async () => (await readChainState(database))!;
  while ((await state()).finalized <= first.body.head) {
    await indexed.chain.mineLive(1);
    await indexed.pipeline.caughtUp(headReader(indexed.chain));
  }
  const second = (await make()).body;
  t.is(second.document.previous, first.body.root);
  t.is(second.document.number, 2);
  const assertEqualToExports = async ({ document, head }: typeof second) => {
    for (const kind of ['transactions', 'transfers', 'logs', 'anchors'] as const) {
      const { body } = await api.get(`/api/v1/export/${kind}/certificate?toBlock=${head}`);
      t.deepEqual(document.tables[kind], { rows: body.rows, digest: body.digest }, kind);
    }
  };
  await assertEqualToExports(second);
  const { items } = (await api.get('/v1/checkpoints', { headers: { 'x-api-key': key } })).body;
  t.deepEqual(items, [second, first.body]);
  const page = await readPage(api, '/checkpoints');
  t.deepEqual(findForeignContent(page), []);
  for (const { checkpointId, signature } of items)
    t.true(page.text.includes(checkpointId) && page.text.includes(`valid ${signature}`), page.text);
  t.is((await readPage(api, '/checkpoints?before=1')).text.includes('There are no earlier checkpoints'), true);
  t.is((await readPage(api, '/checkpoints?before=x')).status, 400);
  const check = async () => verifyCheckpoints(database, await state());
  t.deepEqual(await check(), { checkpoints: 2, faults: [] });
  const change = (sql: string) => database.execute({ ...resolveStatement('chain_state'), sql, parameters: [] });
  await change('DELETE FROM logs WHERE final = 1 AND block_number = (SELECT min(block_number) FROM token_transfers)');
  const { faults } = await check();
  // transfers are decoded from logs, so a missing log changes both
  const wanted = [1, 2].flatMap((number) => ['transfers', 'logs'].map((kind) => `checkpoint ${number}: ${kind}`));
  t.deepEqual(
    faults.map((fault) => fault.split(':').slice(0, 2).join(':')),
    wanted,
  );
  // each repair and each reorg starts a new generation
  const { reorgGeneration } = await state();
  await indexed.chain.reorg(2);
  while ((await state()).reorgGeneration === reorgGeneration) await indexed.chain.mineLive(1);
  await indexed.pipeline.caughtUp(headReader(indexed.chain));
  if ((await state()).finalized === second.head) t.is((await make()).body.code, 'indexing');
  while ((await state()).finalized <= second.head) {
    await indexed.chain.mineLive(1);
    await indexed.pipeline.caughtUp(headReader(indexed.chain));
  }
  const third = (await make()).body;
  t.is(third.document.number, 3);
  await assertEqualToExports(third);
  t.deepEqual((await check()).faults, faults, 'only the earlier checkpoints are wrong');
});
