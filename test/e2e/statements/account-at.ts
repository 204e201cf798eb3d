import test from 'ava';
import { Random } from '#devchain/random.ts';
import { alterSnapshots } from '#test/helpers/altered-snapshots.ts';
import { readBalance } from '#test/helpers/coin-snapshots.ts';
import { startFaultyProxy } from '#test/helpers/faulty-proxy.ts';
import { startApi } from '#test/helpers/service.ts';
import { accounts, finalized, indexed, low } from './chain.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field
type Reply = any;

const heldAt = (account: string, block: number) => {
  const held = new Map<string, bigint>();
  for (const { block: at, token, tokenId, from, to, value } of indexed.transfers) {
    const key = `${token} ${tokenId}`;
    const delta = (to === account ? value : 0n) - (from === account ? value : 0n);
    if (at <= block && delta !== 0n) held.set(key, (held.get(key) ?? 0n) + delta);
  }
  return Object.fromEntries([...held].filter(([, amount]) => amount > 0n));
};

test.serial('an account as of any block equals the node and a count of all transfers by hand', async (t) => {
  const ask = async (account: string, query: string) =>
    (await indexed.api.get(`/api/v1/accounts/${account}/snapshot?${query}`)).body;
  for (const account of accounts.slice(0, 12))
    for (const block of [0, low, 40, finalized, indexed.head]) {
      const { coin, tokens, transactions, ...reply } = await ask(account, `block=${block}`);
      t.is(reply.block.number, block);
      const balance = String(await readBalance(indexed.chain, account, block));
      t.deepEqual(coin, { balance, source: 'node', unknownBecause: null });
      const held = tokens.map((one: Reply) => [`${one.token} ${one.tokenId}`, BigInt(one.balance)]);
      t.deepEqual(Object.fromEntries(held), heldAt(account, block), `${account} ${block}`);
      const own = indexed.blocks
        .slice(0, block + 1)
        .flatMap(({ txs }) => txs)
        .filter(({ from, to, created }) => from === account || (to ?? created) === account);
      t.is(transactions.all, own.length);
      t.is(transactions.sent, own.filter(({ from }) => from === account).length);
      t.is(transactions.lastBlock, own.at(-1)?.block ?? null);
    }
  const [rich] = indexed.transfers.filter(({ standard }) => standard === 'erc721').map(({ to }) => to);
  const nfts = (await ask(rich!, `block=${finalized}&standard=erc721`)).tokens;
  const all = (await ask(rich!, `block=${finalized}`)).tokens;
  t.deepEqual(
    nfts,
    all.filter(({ standard }: Reply) => standard === 'erc721'),
  );
  const [account] = accounts;
  const at40 = await ask(account!, 'block=40');
  t.deepEqual({ ...(await ask(account!, `time=${indexed.blocks[40]!.time}`)), index: 0 }, { ...at40, index: 0 });
  t.is((await ask(account!, 'block=99999')).code, 'bad_query');
});

test.serial('an old balance is computed from later movements if no node keeps the state', async (t) => {
  const keptFrom = finalized - 2;
  const pruned = { code: -32000, message: 'missing trie node' };
  const proxy = await startFaultyProxy({
    ...{ target: indexed.chain.rpc.url, random: new Random(1), share: 1, budget: Number.POSITIVE_INFINITY },
    fault: ({ calls, replies }) => {
      for (const [i, { method, params }] of calls.entries())
        if (method === 'eth_getBalance' && Number(params[1]) < keptFrom)
          replies[i] = { jsonrpc: '2.0', id: replies[i].id, error: pruned };
      return 'changed';
    },
  });
  t.teardown(() => proxy.stop());
  const api = await startApi(indexed.pipeline.deps.database, [proxy.url]);
  t.teardown(() => api.stop());
  const miners = new Set(indexed.blocks.slice(low + 1).map(({ miner }) => miner));
  const [producer] = miners;
  for (const account of accounts.filter((one) => !miners.has(one)).slice(0, 12)) {
    const balance = String(await readBalance(indexed.chain, account, low));
    const { coin } = (await api.get(`/api/v1/accounts/${account}/snapshot?block=${low}`)).body;
    t.deepEqual(coin, { balance, source: 'history', unknownBecause: null }, account);
    const compatible = `/api?module=account&action=balancehistory&address=${account}`;
    t.deepEqual((await api.get(`${compatible}&blockno=${low}`)).body, { status: '1', message: 'OK', result: balance });
  }
  const { coin } = (await api.get(`/api/v1/accounts/${producer}/snapshot?block=${low}`)).body;
  t.like(coin, { balance: null, source: null });
  t.regex(coin.unknownBecause, /rewards of blocks that the account produced/);
  const refused = await api.get(`/api?module=account&action=balancehistory&address=${producer}&blockno=${low}`);
  t.regex(refused.body.result, /rewards of blocks that the account produced/);
  const { coin: newest } = (await api.get(`/api/v1/accounts/${producer}/snapshot?block=${finalized}`)).body;
  t.is(newest.source, 'node');
});

test.serial('a statement says that contracts did not answer, and keeps its other parts', async (t) => {
  const tokens = new Set(indexed.transfers.map(({ token }) => token));
  let calls = 0;
  const proxy = await startFaultyProxy({
    ...{ target: indexed.chain.rpc.url, random: new Random(1), share: 1, budget: Number.POSITIVE_INFINITY },
    fault: ({ calls: asked, replies }) => {
      for (const [i, { method, params }] of asked.entries()) {
        if (method !== 'eth_call' || !tokens.has(params[0].to)) continue;
        calls++;
        replies[i] = { jsonrpc: '2.0', id: replies[i].id, error: { code: -32000, message: 'out of gas' } };
      }
      return 'changed';
    },
  });
  t.teardown(() => proxy.stop());
  const api = await startApi(indexed.pipeline.deps.database, [proxy.url]);
  t.teardown(() => api.stop());
  const query = new URLSearchParams({ accounts: accounts.slice(0, 30).join(), fromBlock: String(low) });
  const { body } = await api.get(`/api/v1/statement?${query}`);
  t.true(body.tokens.length > 40);
  t.true(body.tokens.every((one: Reply) => one.difference === null && one.closing !== null));
  t.regex(body.tokensUnknownBecause, /many contracts did not answer/);
  t.true(calls <= 4 * 16, `${calls} calls`);
  t.is(body.total.coin.difference, '0');
});

test.serial('who gained and lost coins between two blocks equals the balances of a node', async (t) => {
  for (const [from, to] of [
    [low, finalized],
    [0, 40],
    [30, 31],
  ] as const) {
    const query = `/api/v1/accounts/changes?fromBlock=${from}&toBlock=${to}`;
    const { status, body } = await indexed.api.get(`${query}&limit=200`);
    t.is(status, 200, JSON.stringify(body));
    // accounts that only contracts pay occur in no transaction
    const found = [...body.gained, ...body.lost].map(({ address }: Reply) => address as string);
    const changes = await Promise.all(
      [...new Set([...accounts, ...found])].map(async (address) => {
        const [before, after] = await Promise.all(
          [from, to].map((block) => readBalance(indexed.chain, address, block)),
        );
        return { address, change: after! - before!, before: String(before), after: String(after), difference: '0' };
      }),
    );
    const size = (change: bigint) => (change < 0n ? -change : change);
    const sorted = changes
      .filter(({ change }) => change !== 0n)
      .sort((a, b) =>
        size(a.change) === size(b.change) ? (a.address < b.address ? -1 : 1) : size(a.change) > size(b.change) ? -1 : 1,
      )
      .map(({ change, ...rest }) => ({ ...rest, change: String(change) }));
    const gained = sorted.filter(({ change }) => !change.startsWith('-'));
    const lost = sorted.filter(({ change }) => change.startsWith('-'));
    t.deepEqual([body.gained, body.lost], [gained, lost]);
    t.deepEqual(body.counts, { gained: gained.length, lost: lost.length });
    const file = await indexed.api.get(`${query}&format=csv`);
    t.deepEqual(
      String(file.body).trim().split('\r\n').slice(1),
      [...gained, ...lost].map(({ address, change }) => `${address},${change}`),
    );
  }
  const { database } = indexed.pipeline.deps;
  const mark = (count: number) =>
    database.command(
      `ALTER TABLE blocks UPDATE withdrawal_count = ${count} IN PARTITION (1, 0) WHERE block_number = 31 SETTINGS mutations_sync = 2`,
    );
  await mark(1);
  const { status, body } = await indexed.api.get('/api/v1/accounts/changes?fromBlock=30&toBlock=31&limit=3');
  t.is(`${status} ${body.code}`, '422 state_unavailable', 'the recipients of withdrawals are unknown');
  await mark(0);
  for (const query of ['toBlock=5', `fromBlock=5&toBlock=${indexed.head + 50}`, 'fromBlock=9&toBlock=3'])
    t.is((await indexed.api.get(`/api/v1/accounts/changes?${query}`)).status, 400, query);
});

test.serial(
  'with START_BLOCK, a statement says that it may lack tokens, and no list of all balances is complete',
  async (t) => {
    const startBlock = 30;
    const api = await startApi(indexed.pipeline.deps.database, [indexed.chain.rpc.url]);
    t.teardown(() => api.stop());
    const { deps } = api;
    const snapshots = alterSnapshots(deps.snapshots, (state) => ({ ...state, startBlock }));
    const traced = Object.create(deps.traced, { ranges: { value: async () => [{ from: 0, to: 1e9 }] } });
    Object.assign(deps, { snapshots, traced });
    const { body } = await api.get(`/api/v1/statement?accounts=${accounts[0]}&fromBlock=${startBlock + 1}`);
    t.regex(
      body.tokensUnknownBecause,
      /tokens that arrived before block 30 \(START_BLOCK\) are listed only if they moved/,
    );
    for (const path of ['snapshot', 'snapshot/merkle'])
      t.false((await api.get(`/api/v1/accounts/${path}?block=40`)).body.index.complete, path);
  },
);
