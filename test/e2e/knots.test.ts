/** Events of wallets, derived from the blocks of a chain. @source docs/semantic.md */
import test from 'ava';
import { Wallet } from 'ethers';
import { NodeError } from '#chain/errors.ts';
import { devWallet } from '#devchain/dev-wallets.ts';
import { writeMark } from '#pipeline/jobs/job-marks.ts';
import { readNamesMark } from '#pipeline/knots/read-labels.ts';
import { importManifest } from '#pipeline/sources/import-manifest.ts';
import { rewind } from '#pipeline/store/rewind.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { knotsJob, readMark } from '#sql/job-marks.ts';
import type { ModelTx } from '#test/helpers/chain-model.ts';
import { bearer, signIn } from '#test/helpers/identity.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { toDocument, toManifest } from '#test/helpers/manifests.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { chainId, startApi } from '#test/helpers/service.ts';

let indexed: IndexedChain;

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 150, seed: 21 });
});

test.after.always(() => indexed?.stop());

async function query<Row>(sql: string): Promise<Row[]> {
  const { database } = indexed.pipeline.deps;
  return database.read<Row>({
    ...resolveStatement('chain_state'),
    sql,
    parameters: [],
    budget: { maxSeconds: 20, maxMemoryBytes: 1e9, maxResultRows: 1e6 },
  });
}

async function derived(): Promise<number> {
  const { finalized } = (await indexed.pipeline.state())!;
  await waitFor(
    async () => (await readMark(indexed.pipeline.deps, knotsJob)) >= finalized,
    30_000,
    'knots are derived',
  );
  return finalized;
}

test.serial('every finalized transaction and token transfer is an event of each wallet involved', async (t) => {
  const through = await derived();
  const rows = await query<{
    wallet: string;
    tx: string;
    place: string;
    kind: string;
    direction: string;
    amount: string;
    status: string;
    reason: string;
  }>(
    `SELECT concat('0x', lower(hex(wallet))) AS wallet, concat('0x', lower(hex(tx_hash))) AS tx, concat(toString(block_number), ':', toString(tx_index), ':', toString(log_index), ':', toString(part)) AS place,
       kind, direction, toString(amount) AS amount, status, shapes.fail_reason AS reason
     FROM knots FINAL LEFT JOIN (SELECT * FROM shapes FINAL) AS shapes USING (shape_id)`,
  );
  const finalized = indexed.blocks.filter(({ number }) => number <= through);
  const transactions = finalized.flatMap(({ txs }) => txs);
  const has = new Set(rows.map((row) => `${row.wallet} ${row.place.split(':').slice(0, 2).join(':')}`));
  const missing = transactions.filter((tx) => !has.has(`${tx.from} ${getPlace(tx)}`));
  t.deepEqual(missing.map(getPlace), [], 'its sender sees each transaction');
  t.is(new Set(rows.map((row) => `${row.wallet} ${row.place}`)).size, rows.length);
  const paid = transactions.filter((tx) => tx.status === 1 && tx.value > 0n && tx.to && tx.to !== tx.from);
  const received = rows.filter((row) => row.kind === 'native_transfer' && row.direction === 'in');
  const amounts = (list: readonly string[]) => [...list].sort();
  t.deepEqual(
    amounts(received.map((row) => `${row.wallet} ${row.amount}`)),
    amounts(paid.map((tx) => `${tx.to} ${tx.value}`)),
  );
  const senders = new Map(transactions.map((tx) => [tx.hash, tx.from]));
  const moved = indexed.transfers.filter(
    ({ block, txHash, to }) => block <= through && !isZero(to) && senders.get(txHash) !== to,
  );
  const toldIn = rows.filter(
    (row) => !row.place.includes(':-1:') && row.direction !== 'out' && senders.get(row.tx) !== row.wallet,
  );
  t.deepEqual(
    amounts(toldIn.map((row) => `${row.wallet} ${row.amount}`)),
    amounts(moved.map(({ to, value }) => `${to} ${value}`)),
  );
  const kinds = new Set(rows.map((row) => row.kind));
  for (const kind of ['swap', 'wrap', 'unwrap', 'token_mint', 'nft_mint', 'contract_creation', 'contract_call'])
    t.true(kinds.has(kind), kind);
  const failed = rows.filter((row) => row.status === 'failed');
  t.is(failed.length, transactions.filter((tx) => tx.status === 0).length);
  t.true(
    failed.some((row) => row.reason.includes('payout refused')),
    'the node tells why',
  );
});

test.serial('knots are found by words and by id, only by wallets involved', async (t) => {
  const { database } = indexed.pipeline.deps;
  const operator = Wallet.createRandom();
  const owner = devWallet(2);
  const api = await startApi(database, [indexed.chain.rpc.url], false, { operatorWallets: operator.address });
  const headers = bearer(await signIn(api, owner));
  const found = await api.get(`/v1/search?string_id=${owner.address}&q=swapped+tokens&limit=20`, { headers });
  t.is(found.status, 200, JSON.stringify(found.body));
  t.is(found.body.items[0].kind, 'swap');
  t.true(found.body.items.every((item: { wallet: string }) => item.wallet === owner.address.toLowerCase()));
  const [{ score: _, matched: __, ...knot }] = found.body.items;
  const byId = await api.get(`/v1/knots/${knot.knotId}`, { headers });
  t.deepEqual(byId.body.items, [knot]);
  const stranger = bearer(await signIn(api));
  t.is((await api.get(`/v1/knots/${knot.knotId}`, { headers: stranger })).body.code, 'not_found');
  t.is((await api.get('/v1/search?q=swap', { headers })).body.code, 'string_id_required');
  const asOperator = bearer(await signIn(api, operator));
  const search = async (q: string): Promise<{ usd: number | null; blockNumber: number }[]> =>
    (await api.get(`/v1/search?q=${encodeURIComponent(q)}&limit=200`, { headers: asOperator })).body.items;
  const largest = (await search('largest')).map(({ usd }) => usd ?? -1);
  t.deepEqual(
    largest,
    largest.toSorted((a, b) => b - a),
  );
  const [top] = largest;
  t.true(top! > 1 && top! < 1e12, 'an unlimited approval moves nothing');
  const rich = await search(`more than $${Math.floor(top! / 2)}`);
  t.true(rich.length > 0 && rich.every(({ usd }) => usd! > Math.floor(top! / 2)));
  t.true((await api.get(`/v1/knots/${knot.knotId}`, { headers: asOperator })).body.items.length >= 1);
  t.true((await api.get('/v1/search?q=failed+calls', { headers: asOperator })).body.items.length > 0);
  for (const [words, from, to] of [
    ['payments between block 10 and 20', 10, 20],
    ['payments since block 30', 30, Number.POSITIVE_INFINITY],
  ] as const) {
    const numbers = (await search(words)).map(({ blockNumber }) => blockNumber);
    t.true(numbers.length > 1 && Math.min(...numbers) >= from && Math.max(...numbers) <= to, `${words}: ${numbers}`);
  }
  await api.stop();
});

test.serial(
  'new names reach stored events, which stay meanwhile, and a file with the same names changes nothing',
  async (t) => {
    const { deps } = indexed.pipeline;
    const through = await readMark(deps, knotsJob);
    const [named] = await query<{ address: string }>(
      `SELECT concat('0x', lower(hex(counterparty))) AS address FROM knots GROUP BY counterparty ORDER BY count() DESC, counterparty LIMIT 1`,
    );
    const entity = { kind: 'wallet', label: 'Harbour', category: 'exchange', address: named!.address };
    const labelled = async () =>
      (
        await query<{ all: string; named: string }>(
          `SELECT count() AS all, countIf(label = 'Harbour') AS named FROM (SELECT * FROM knots FINAL) AS knots
         LEFT JOIN (SELECT * FROM shapes FINAL) AS shapes USING (shape_id) WHERE counterparty = unhex('${named!.address.slice(2)}')`,
        )
      )[0]!;
    const before = await labelled();
    const readReasons = () =>
      query<{ tx: string; reason: string }>(
        `SELECT DISTINCT lower(hex(tx_hash)) AS tx, shapes.fail_reason AS reason FROM (SELECT * FROM knots FINAL) AS knots
         INNER JOIN (SELECT * FROM shapes FINAL) AS shapes USING (shape_id) WHERE reason != '' ORDER BY tx`,
      );
    const reasons = await readReasons();
    t.true(reasons.length > 0);
    // a node that has pruned the states before the failed calls
    const { call } = deps.client;
    const pruned = (...args: Parameters<typeof call>) =>
      args[0] === 'eth_call'
        ? Promise.reject(new NodeError(-32000, 'missing trie node', args[0]))
        : call.call(deps.client, ...args);
    Object.assign(deps.client, { call: pruned });
    t.teardown(() => Object.assign(deps.client, { call }));
    const marks: number[] = [];
    const isNamed = async () => {
      marks.push(await readMark(deps, knotsJob));
      const now = await labelled();
      t.true(Number(now.all) >= Number(before.all), 'no event is lost meanwhile');
      return now.named === now.all;
    };
    t.is(before.named, '0');
    await importManifest(deps, toDocument(toManifest([entity])), { chainId });
    await waitFor(isNamed, 30_000, 'events have the new name');
    t.true(Math.min(...marks) >= through, 'new events need not wait for names');
    t.deepEqual(await readReasons(), reasons, 'failure reasons stay, although no node can tell them again');
    const mark = await readNamesMark(deps);
    await importManifest(deps, toDocument(toManifest([entity], {}, '2')), { chainId });
    t.is(await readNamesMark(deps), mark, 'the names are the same');
  },
);

test.serial('rewind removes knots, and they are derived again', async (t) => {
  const counted = async () => (await query<{ all: string }>('SELECT count() AS all FROM knots FINAL'))[0]!.all;
  const before = await counted();
  await indexed.pipeline.stop();
  await rewind(indexed.pipeline.deps, 60);
  t.is((await query<{ top: string }>('SELECT max(block_number) AS top FROM knots'))[0]!.top, '60');
  t.is(await readMark(indexed.pipeline.deps, knotsJob), 60);
  t.true(Number(await counted()) < Number(before));
  const operator = Wallet.createRandom();
  const api = await startApi(indexed.pipeline.deps.database, [indexed.chain.rpc.url], false, {
    operatorWallets: operator.address,
  });
  const stranger = bearer(await signIn(api));
  const find = async (block: number) => {
    const { hash } = indexed.blocks.slice(block).flatMap(({ txs }) => txs)[0]!;
    return (await api.get(`/v1/knots/${hash}:tx`, { headers: stranger })).body.code;
  };
  await writeMark(indexed.pipeline.deps, knotsJob, 30);
  t.deepEqual([await find(10), await find(45)], ['not_found', 'indexing'], 'final events that are not derived yet');
  await api.stop();
});

const getPlace = (tx: ModelTx) => `${tx.block}:${tx.index}`;
const isZero = (address: string) => /^0x0+$/.test(address);
