import test from 'ava';
import { id } from 'ethers';
import type { ApiDeps } from '#api/deps.ts';
import { getToken } from '#api/routes/tokens/get-token.ts';
import { refreshHeads } from '#chain/rpc/watch-heads.ts';
import { getStatement, loadStatements } from '#sql/compile/statements.ts';
import { readChainModel } from '#test/helpers/chain-model.ts';
import { damages } from '#test/helpers/damages.ts';
import type { IndexedChain } from '#test/helpers/indexed-chain.ts';
import { headReader, startApi } from '#test/helpers/service.ts';
import { statsByHand } from '#test/helpers/stats-model.ts';
import { indexed } from './chain.ts';

let { chain, pipeline, api }: Pick<IndexedChain, 'chain' | 'pipeline' | 'api'> = {} as IndexedChain;

test.serial.before(() => {
  ({ chain, pipeline, api } = indexed);
});

interface WireTx {
  hash: string;
  from: string;
  to: string | null;
}
const blockAt = (number: number) =>
  chain.rpc.call<{ hash: string; transactions: WireTx[]; gasUsed: string }>('eth_getBlockByNumber', [
    `0x${number.toString(16)}`,
    true,
  ]);

test.serial('4.5 an address without a token is rejected, even if other reads finish later', async (t) => {
  const late = async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return 0;
  };
  const deps = Object.assign(Object.create(api.deps), { blockTimes: { head: late } }) as ApiDeps;
  const asked = { params: { address: `0x${'0e'.repeat(20)}` }, query: {} };
  const strays: unknown[] = [];
  const note = (error: unknown) => void strays.push(error);
  process.on('unhandledRejection', note);
  t.teardown(() => process.off('unhandledRejection', note));
  await t.throwsAsync(async () => getToken.handle(deps, asked as never), { message: /is not on the chain/ });
  t.deepEqual(strays, []);
});

test.serial('every row, view and rollup equals the node', async (t) => {
  await pipeline.deps.database.command('OPTIMIZE TABLE token_transfers FINAL');
  const report = await pipeline.verify();
  t.deepEqual(report.differences, []);
  t.true(report.blocks >= 2_150 && report.transactions > 5_000 && report.logs > 5_000 && report.checks >= 14);
  const state = await pipeline.state();
  t.is(state?.rollupThrough, 2_000, 'one era is closed');
  t.true((state?.hourThrough ?? 0) > 0 && (state?.dayThrough ?? 0) > 0);
});

test.serial('verify reports every kind of damage', async (t) => {
  const { database } = pipeline.deps;
  for (const [sql, expected] of damages) {
    const table = /INTO (\w+)/.exec(sql)![1]!;
    await database.command(sql);
    const baseOnly = table !== 'account_counter_eras';
    const { differences } = await pipeline.verify({ fromBlock: 40, toBlock: 110, baseOnly });
    t.true(differences.length > 0 && differences.some((difference) => expected.test(difference.detail)), sql);
    if (table === 'account_counter_eras') await database.command('TRUNCATE TABLE account_counter_eras');
    else
      await database.command(
        `ALTER TABLE ${table} DELETE WHERE ${{ transactions: 'tx_index = 4000000', address_roles: 'tx_index >= 1000', logs: 'log_index >= 100000' }[table]} SETTINGS mutations_sync = 2`,
      );
    for (const view of {
      transactions: ['transaction_hashes WHERE tx_index = 4000000'],
      logs: ['logs_by_address WHERE log_index >= 100000'],
      address_roles: [],
      account_counter_eras: [],
    }[table] ?? []) {
      await database.command(
        `ALTER TABLE ${view.split(' ')[0]} DELETE ${view.slice(view.indexOf('WHERE'))} SETTINGS mutations_sync = 2`,
      );
    }
  }
  const rebuild = getStatement(loadStatements(), 'close_account_counters');
  await database.execute(rebuild, { era_blocks: 2_000, from_block: 0, to_block: 1_999 });
  t.deepEqual(
    (await pipeline.verify({ toBlock: 200 })).differences,
    [],
    'the rollup can be computed again at any time',
  );
});

test.serial('4.2 every figure of the stats equals the sum over the chain, exact to the head', async (t) => {
  const blocks = await readChainModel(chain.rpc, await headReader(chain)());
  const { status, body } = await api.get('/api/v1/stats');
  t.is(status, 200);
  t.like(body, statsByHand(blocks));
  t.is(body.fatPriceUsd, (await api.get('/api/v1/nativefat/price')).body.price);
});

test.serial('4.2 status reports node and index, names silent nodes, and is 503 when no node answers', async (t) => {
  const head = await headReader(chain)();
  const { status, body } = await api.get('/api/v1/status');
  t.is(status, 200);
  const { hash } = await blockAt(head);
  t.like(body, { status: 'ok', head, headHash: hash, chainHead: head, lagBlocks: 0, parkedBlocks: [] });
  t.like(body, { indexed: { from: 0, to: head, complete: true }, finalized: (await pipeline.state())!.finalized });
  t.like(body.rpc, [{ head, lagBlocks: 0, healthy: true, lastFault: null }]);
  const silent = 'http://127.0.0.1:9';
  for (const [urls, state, code] of [
    [[chain.rpc.url, silent], 'degraded', 200],
    [[silent], 'down', 503],
  ] as const) {
    const other = await startApi(pipeline.deps.database, urls);
    for (let asked = 0; asked < 3; asked++) await refreshHeads(other.deps.client); // one timeout is not yet a failure
    const { status: answered, body: said } = await other.get('/api/v1/status');
    await other.stop();
    t.deepEqual([said.status, answered, said.head], [state, code, head]);
    for (const [i, endpoint] of said.rpc.entries()) t.is(endpoint.healthy, urls[i] !== silent);
  }
});

test('4.3 an anchor is found by number, hash and tag, and lists have no gaps in both orders', async (t) => {
  const wire = await blockAt(77);
  const byNumber = await api.get('/api/v1/strings/77');
  t.is(byNumber.body.hash, wire.hash);
  t.is(byNumber.body.transactionCount, wire.transactions.length);
  t.is((await api.get(`/api/v1/strings/${wire.hash.toUpperCase().replace('0X', '0x')}`)).body.number, 77);
  t.is((await api.get('/api/v1/strings/earliest')).body.number, 0);
  for (const order of ['asc', 'desc']) {
    const numbers: number[] = [];
    let cursor = '';
    do {
      const { body } = await api.get(
        `/api/v1/strings?from=100&to=350&limit=97&order=${order}${cursor && `&cursor=${cursor}`}`,
      );
      numbers.push(...body.items.map((item: { number: number }) => item.number));
      cursor = body.nextCursor;
    } while (cursor);
    const expected = Array.from({ length: 251 }, (_, i) => 100 + i);
    t.deepEqual(numbers, order === 'asc' ? expected : expected.reverse());
  }
});

test('4.3 a transaction has its receipt, logs and token transfers', async (t) => {
  const wire = (await blockAt(3)).transactions[0]!;
  const receipt = await chain.rpc.call<{ logs: { topics: string[] }[]; gasUsed: string; effectiveGasPrice: string }>(
    'eth_getTransactionReceipt',
    [wire.hash],
  );
  const { body } = await api.get(`/api/v1/transactions/${wire.hash}`);
  t.is(body.txHash, wire.hash);
  t.is(body.receipt.gasUsed, Number(receipt.gasUsed));
  t.is(body.fee, (BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)).toString());
  t.is(body.logs.length, receipt.logs.length);
  t.is(
    body.tokenTransfers.length,
    receipt.logs.filter((log) => log.topics[0] === id('Transfer(address,address,uint256)')).length,
  );
  t.true(body.creditable);
  t.is(body.finality, 'final');
});

test('4.3 a hash that is not on the chain returns 404, since the index covers the head', async (t) => {
  const { status, body } = await api.get(`/api/v1/transactions/0x${'ab'.repeat(32)}`);
  t.is(status, 404);
  t.is(body.code, 'not_found');
});

test('4.4 history of an address has each transaction once with every role, at any page size', async (t) => {
  const address = chain.world.accounts[2]!;
  const expected = new Set<string>();
  for (let number = 0; number <= 400; number++) {
    for (const tx of (await blockAt(number)).transactions)
      if (tx.from === address || tx.to === address) expected.add(tx.hash);
  }
  const seen: string[] = [];
  let cursor = '';
  do {
    const { body } = await api.get(
      `/api/v1/accounts/${address}/transactions?from=0&to=400&limit=13${cursor && `&cursor=${cursor}`}`,
    );
    seen.push(...body.transactions.map((row: { txHash: string }) => row.txHash));
    cursor = body.nextCursor;
    t.is(body.hasMore, cursor !== null);
    t.true(body.coverage.complete);
  } while (cursor);
  t.is(new Set(seen).size, seen.length, 'no row twice');
  t.deepEqual([...expected].filter((hash) => !seen.includes(hash)).slice(0, 3), [], 'none missing');
  t.is(seen.length, expected.size);
});

test('2 a contract is found through its logs, and an unused address is proven empty', async (t) => {
  const pair = await api.get(`/api/v1/accounts/${chain.world.pair}`);
  t.is(pair.body.type, 'contract');
  const byLog = await api.get(`/api/v1/accounts/${chain.world.wfat}/transactions?role=log&limit=200`);
  t.true(byLog.body.transactions.length > 0);
  t.true(byLog.body.transactions.every((row: { roles: string[] }) => row.roles.includes('log')));
  const empty = await api.get(`/api/v1/accounts/0x${'9'.repeat(40)}/transactions`);
  t.is(empty.body.source, 'addr-index-empty');
  t.deepEqual(empty.body.transactions, []);
  t.is((await api.get(`/api/v1/accounts/0x${'9'.repeat(40)}`)).body.counts.transactions, 0);
});

test('4.4 account figures equal its rows', async (t) => {
  const address = chain.world.accounts[3]!;
  const { body } = await api.get(`/api/v1/accounts/${address}`);
  t.is(body.balance, BigInt(await chain.rpc.call<string>('eth_getBalance', [address, 'latest'])).toString());
  t.is(body.nonce, Number(await chain.rpc.call<string>('eth_getTransactionCount', [address, 'latest'])));
  let total = 0;
  let cursor = '';
  do {
    const page = await api.get(`/api/v1/accounts/${address}/transactions?limit=200${cursor && `&cursor=${cursor}`}`);
    total += page.body.transactions.length;
    cursor = page.body.nextCursor;
  } while (cursor);
  t.is(body.counts.transactions, total);
  const delegated = await api.get(`/api/v1/accounts/${chain.world.accounts[11]}`);
  t.is(delegated.body.type, 'eip7702');
});

test('4.10 txlist and REST return the same rows', async (t) => {
  const address = chain.world.accounts[1]!;
  const { body } = await api.get(
    `/api?module=account&action=txlist&address=${address}&startblock=0&endblock=99999999&page=1&offset=150&sort=desc`,
  );
  t.is(body.status, '1');
  const rest = await api.get(`/api/v1/accounts/${address}/transactions?limit=150`);
  t.deepEqual(
    body.result.map((row: Record<string, string>) => [row.hash, row.blockHash, row.gasUsed, row.value, row.nonce]),
    rest.body.transactions.map((row: Record<string, unknown>) => [
      row.txHash,
      row.blockHash,
      String(row.gasUsed),
      row.value,
      String(row.nonce),
    ]),
  );
  const wire = await chain.rpc.call<{ input: string; transactionIndex: string }>('eth_getTransactionByHash', [
    body.result[0].hash,
  ]);
  t.is(body.result[0].input, wire.input);
});

test('4.10 the compatible interface uses its own messages', async (t) => {
  const address = chain.world.accounts[1]!;
  const ask = async (query: string) => (await api.get(`/api?${query}`)).body;
  t.regex((await ask(`Module=ACCOUNT&Action=Balance&ADDRESS=${address}`)).result, /^\d{20,}$/);
  t.deepEqual(await ask(`module=account&action=txlist&address=0x${'9'.repeat(40)}`), {
    status: '0',
    message: 'No transactions found',
    result: [],
  });
  t.deepEqual(await ask('module=account&action=txlist&address=0x12'), {
    status: '0',
    message: 'NOTOK',
    result: 'Error! Invalid address format',
  });
  t.deepEqual(await ask('module=account&action=nothing'), {
    status: '0',
    message: 'NOTOK',
    result: 'Error! Missing Or invalid Action name',
  });
  t.regex(
    (await ask(`module=account&action=txlist&address=${address}&page=101&offset=100`)).message,
    /^Result window is too large/,
  );
  const form = await api.get('/api', {
    method: 'POST',
    body: new URLSearchParams({ module: 'account', action: 'balance', address }),
  });
  t.is(form.body.status, '1');
});
