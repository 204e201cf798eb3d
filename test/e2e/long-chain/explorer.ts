import test from 'ava';
import { groupBy } from '#runtime/lists.ts';
import {
  type ModelBlock,
  type ModelTransfer,
  modelBalances,
  modelHolders,
  modelOwners,
  valueAtRank,
} from '#test/helpers/chain-model.ts';
import type { IndexedChain } from '#test/helpers/indexed-chain.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { headReader } from '#test/helpers/service.ts';
import { walkItems } from '#test/helpers/walk.ts';
import { indexed } from './chain.ts';

let { chain, pipeline, api }: Pick<IndexedChain, 'chain' | 'pipeline' | 'api'> = {} as IndexedChain;
let blocks: ModelBlock[];
let transfers: ModelTransfer[];
let head: number;

test.serial.before(() => {
  ({ chain, pipeline, api, blocks, transfers, head } = indexed);
});

const walk = (path: string, from?: string) => walkItems(api, path, from);
const toKey = ({ txHash, logIndex, batchIndex }: Pick<ModelTransfer, 'txHash' | 'logIndex' | 'batchIndex'>) =>
  `${txHash}:${logIndex}:${batchIndex}`;
test.serial('4.5 tokens list every contract with transfers, its metadata and exact counts', async (t) => {
  const isClosed = async () => (await pipeline.state())?.rollupThrough === 2_000;
  await waitFor(isClosed, 60_000, 'an era is closed, so that it and what lies behind it are both read');
  const items = await walk('/tokens?limit=7');
  const groups = groupBy(transfers, (transfer) => transfer.token);
  t.deepEqual(items.map((token) => token.address).sort(), [...groups.keys()].sort());
  for (const token of items) {
    const own = groups.get(token.address)!;
    const holders = modelHolders(transfers, token.address);
    t.is(token.transfers, own.length, token.address);
    t.is(token.holders, holders.size, token.address);
    t.is(token.standard, own[0]!.standard);
    t.is(token.firstBlock, own[0]!.block);
    t.is(token.lastBlock, own.at(-1)!.block);
  }
  const sorted = items.map((token) => token.holders);
  const descending = [...sorted].sort((a, b) => b - a);
  t.deepEqual(sorted, descending);
  const usdx = (await api.get('/api/v1/tokens?q=usd')).body.items[0];
  t.like(usdx, { name: 'USD Exchange', symbol: 'USDX', decimals: 6, standard: 'erc20' });
  const nfts = await walk('/tokens?type=erc721');
  t.true(nfts.length > 0 && nfts.every((token) => token.standard === 'erc721' && token.decimals === null));
});

test.serial('4.5 holders list every balance, richest first, and add up to the supply', async (t) => {
  const groups = groupBy(transfers, (transfer) => transfer.token);
  const activity = new Map((await walk('/tokens')).map((token) => [token.address, token.transfers24h]));
  let reconciled = 0;
  for (const token of [...groups.keys()].slice(0, 12)) {
    const expected = [...modelHolders(transfers, token)].sort(([a, x], [b, y]) =>
      x === y ? (a < b ? -1 : 1) : x > y ? -1 : 1,
    );
    const items = await walk(`/tokens/${token}/holders?limit=${token === groups.keys().next().value ? 3 : 200}`);
    t.deepEqual(
      items.map((item) => [item.address, item.balance]),
      expected.map(([address, balance]) => [address, balance.toString()]),
    );
    const { body } = await api.get(`/api/v1/tokens/${token}`);
    t.is(body.holders, expected.length);
    t.is(body.reconciliation.heldTotal, expected.reduce((sum, [, balance]) => sum + balance, 0n).toString());
    if (body.reconciliation.reconciled) reconciled++;
    else t.not(body.standard, 'erc20', `${token} ${JSON.stringify(body.reconciliation)}`);
    const count = groups.get(token)!.filter(({ block }) => blocks[block]!.time > blocks.at(-1)!.time - 86_400).length;
    t.deepEqual([body.transfers24h, activity.get(token)], [count, count]);
  }
  t.true(reconciled >= 3);
});

test.serial('4.3 and 4.5 transfers of the chain, a token and an account appear once, in order', async (t) => {
  const recent = transfers.filter(({ block }) => block > head - 300);
  const newest = await walk(`/tokentxns?standard=all&fromBlock=${head - 299}&limit=150`);
  t.deepEqual(newest.map(toKey), recent.map(toKey).reverse());
  t.true(newest.every(({ blockNumber, blockHash }) => blockHash === blocks[blockNumber]!.hash));
  const oldest = await walk('/tokentxns?standard=all&toBlock=30&order=asc&limit=9');
  t.deepEqual(oldest.map(toKey), transfers.filter(({ block }) => block <= 30).map(toKey));
  for (const standard of ['erc20', 'erc721', 'erc1155']) {
    const only = recent
      .filter((transfer) => transfer.standard === standard)
      .map(toKey)
      .reverse();
    const query = standard === 'erc20' ? '' : `&standard=${standard}`; // default: TOKEN-20
    t.deepEqual((await walk(`/tokentxns?fromBlock=${head - 299}&limit=150${query}`)).map(toKey), only);
  }
  const [sample] = newest;
  const model = recent.find((transfer) => toKey(transfer) === toKey(sample))!;
  t.like(sample, { token: model.token, from: model.from, to: model.to, value: model.value.toString() });
  const token = recent.find(({ standard }) => standard === 'erc1155')!.token;
  for (const order of ['asc', 'desc']) {
    const own = transfers.filter((transfer) => transfer.token === token).map(toKey);
    const items = await walk(`/tokens/${token}/transfers?limit=90&order=${order}`);
    t.deepEqual(items.map(toKey), order === 'asc' ? own : own.reverse());
  }
  const mints = await walk(`/tokens/${token}/transfers?type=mint&limit=200`);
  t.true(mints.length > 0 && mints.every((item) => item.kind === 'mint'));
  const account = recent.find((transfer) => transfer.from !== `0x${'0'.repeat(40)}`)!.from;
  const touching = transfers.filter(({ from, to }) => from === account || to === account);
  t.deepEqual(
    (await walk(`/tokentxns?standard=all&address=${account}&limit=200&order=asc`)).map(toKey),
    touching.map(toKey),
  );
  const sent = touching.filter(({ from, token: own }) => from === account && own === sample.token);
  const sentItems = await walk(`/tokentxns?standard=all&from=${account}&token=${sample.token}&limit=200&order=asc`);
  t.deepEqual(sentItems.map(toKey), sent.map(toKey));
  const [low, high] = [blocks[700]!.time, blocks[760]!.time];
  const timed = await walk(`/tokentxns?standard=all&fromTime=${low}&toTime=${high}&order=asc&limit=200`);
  t.deepEqual(timed.map(toKey), transfers.filter(({ block }) => block >= 700 && block <= 760).map(toKey));
});

test.serial('4.4 token balances and NFTs of an account equal the sum of its transfers', async (t) => {
  const accounts = [...new Set(transfers.map(({ to }) => to))].filter((address) => !/^0x0+$/.test(address)).slice(0, 4);
  for (const account of accounts) {
    const expected = [...modelBalances(transfers, account)]
      .filter(([, balance]) => balance > 0n)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const items = await walk(`/accounts/${account}/tokens?limit=2`);
    t.deepEqual(
      items.map((item) => [item.token, item.balance]),
      expected.map(([token, balance]) => [token, balance.toString()]),
    );
    const nfts = [...new Set(transfers.filter(({ standard }) => standard === 'erc721').map(({ token }) => token))];
    const owned = nfts.flatMap((nft) =>
      [...modelOwners(transfers, nft)].filter(([, owner]) => owner === account).map(([id]) => [nft, id.toString()]),
    );
    const held = await walk(`/accounts/${account}/nfts?limit=60`);
    t.deepEqual(
      new Set(held.map((item) => `${item.contract}:${item.tokenId}`)),
      new Set(owned.map((pair) => pair.join(':'))),
    );
    t.is(held.length, owned.length);
    for (const item of held.slice(0, 5)) {
      const last = transfers.findLast(
        ({ token, tokenId }) => token === item.contract && tokenId === BigInt(item.tokenId),
      )!;
      t.is(item.acquiredBlock, last.block);
    }
  }
});

test.serial('4.5 the inventory of an NFT contract lists every id, its owner and its mint', async (t) => {
  const nft = transfers.find(({ standard }) => standard === 'erc721')!.token;
  const owners = [...modelOwners(transfers, nft)].sort(([a], [b]) => (a < b ? -1 : 1));
  const items = await walk(`/nfts/${nft}/tokens?limit=60`);
  t.deepEqual(
    items.map((item) => [item.tokenId, item.owner]),
    owners.map(([id, owner]) => [id.toString(), owner]),
  );
  for (const item of items.slice(0, 10)) {
    const mint = transfers.find(({ token, tokenId }) => token === nft && tokenId === BigInt(item.tokenId))!;
    t.deepEqual([item.mintBlock, item.mintTx], [mint.block, mint.txHash]);
  }
  t.is((await api.get(`/api/v1/nfts/${nft}/tokens/${items[0].tokenId}`)).status, 200, 'moved in a closed window');
  const plain = transfers.find(({ standard }) => standard === 'erc20')!.token;
  t.is((await api.get(`/api/v1/nfts/${plain}/tokens`)).status, 404);
});

test.serial('4.4 top accounts list the node’s balances, richest first', async (t) => {
  const finalized = (await pipeline.state())!.finalized;
  await waitFor(
    async () => (await api.get('/api/v1/accounts/top?limit=1')).body.snapshotBlock === finalized,
    30_000,
    'balances of all accounts were read',
  );
  const items = await walk('/accounts/top?limit=50');
  const balances = items.map((item) => BigInt(item.balance));
  t.true(balances.every((balance, i) => i === 0 || balance <= balances[i - 1]!));
  t.deepEqual(
    items.map((item) => item.rank),
    items.map((_, i) => i + 1),
  );
  const told = await chain.rpc.batch<string>(
    items.map((item) => ({ method: 'eth_getBalance', params: [item.address, `0x${item.balanceBlock.toString(16)}`] })),
  );
  t.deepEqual(
    items.map((item) => item.balance),
    told.map((balance) => BigInt(balance).toString()),
  );
  const named = new Set(
    blocks.slice(0, finalized + 1).flatMap(({ txs }) => txs.flatMap(({ from, to }) => [from, to ?? from])),
  );
  const listed = new Set(items.map((item) => item.address));
  const missing = [...named].filter((address) => !listed.has(address));
  const rest = await chain.rpc.batch<string>(
    missing.map((address) => ({ method: 'eth_getBalance', params: [address, `0x${finalized.toString(16)}`] })),
  );
  t.true(
    rest.every((balance) => BigInt(balance) === 0n),
    'who is not listed has nothing',
  );
});

test.serial('4.3 transactions support every filter, separately and combined', async (t) => {
  const all = blocks.flatMap((block) => block.txs);
  const hashes = async (query: string) =>
    (await walk(`/transactions?${query}&order=asc&limit=200`)).map((tx) => tx.txHash);
  const busy = all.find((tx) => tx.to !== null && tx.input.length > 10)!;
  const method = busy.input.slice(0, 10);
  const cases: [string, (tx: (typeof all)[number]) => boolean][] = [
    [`from=${busy.from}`, (tx) => tx.from === busy.from],
    [`to=${busy.to}`, (tx) => tx.to === busy.to || tx.created === busy.to],
    [`from=${busy.from}&to=${busy.to}`, (tx) => tx.from === busy.from && [tx.to, tx.created].includes(busy.to)],
    [`from=${busy.from}&status=0`, (tx) => tx.from === busy.from && tx.status === 0],
    [`status=0&fromBlock=100&toBlock=900`, (tx) => tx.status === 0 && tx.block >= 100 && tx.block <= 900],
    [`method=${method}&toBlock=400`, (tx) => tx.input.startsWith(method) && tx.block <= 400],
    [`minValue=4000000000000000000&toBlock=1000`, (tx) => tx.value >= 4n * 10n ** 18n && tx.block <= 1000],
    [`fromTime=${blocks[50]!.time}&toTime=${blocks[90]!.time}`, (tx) => tx.block >= 50 && tx.block <= 90],
  ];
  for (const [query, condition] of cases)
    t.deepEqual(
      await hashes(query),
      all.filter(condition).map((tx) => tx.hash),
      query,
    );
});

test.serial('4.3 search returns exact matches first, of every kind', async (t) => {
  const find = async (q: string) => (await api.get(`/api/v1/search?q=${encodeURIComponent(q)}`)).body.items;
  const block = blocks[1_000]!;
  const tx = blocks.find(({ txs }) => txs.length > 0)!.txs[0]!;
  t.like((await find('1000'))[0], { type: 'anchor', hash: block.hash, match: 'exact' });
  t.like((await find(block.hash))[0], { type: 'anchor', number: 1_000 });
  t.like((await find(tx.hash.toUpperCase().replace('0X', '0x')))[0], { type: 'transaction', txHash: tx.hash });
  t.like((await find(tx.from))[0], { type: 'address', address: tx.from });
  t.like((await find('usdx'))[0], { type: 'token', match: 'exact' });
  t.like((await find('anchor poi'))[0], { type: 'token', match: 'partial' });
  t.deepEqual(await find('nothing is called like this'), []);
  t.is((await api.get('/api/v1/search')).status, 400);
});

test.serial('4.2 gas oracle, validators and network config equal the chain', async (t) => {
  const { body: gas } = await api.get('/api/v1/gas/oracle');
  const history = await chain.rpc.call<{ baseFeePerGas: string[] }>('eth_feeHistory', [
    '0x1',
    `0x${head.toString(16)}`,
    [],
  ]);
  t.is(gas.nextBaseFee, BigInt(history.baseFeePerGas[1]!).toString());
  t.is(gas.baseFee, blocks[head]!.baseFee.toString());
  const window = blocks.slice(-200).filter(({ txs }) => txs.length > 0);
  for (const [name, rank] of [
    ['slow', 0.35],
    ['average', 0.6],
    ['fast', 0.9],
  ] as const) {
    const tips = window.map(({ txs, baseFee }) =>
      valueAtRank(
        txs.map((tx) => tx.gasPrice - baseFee),
        rank,
      ),
    );
    t.is(gas[name].maxPriorityFeePerGas, valueAtRank(tips, 0.5).toString(), name);
    t.is(gas[name].estSeconds, 60, 'no block of the dev chain is full: the next one takes it, a minute later');
  }
  const { body: validators } = await api.get('/api/v1/validators');
  t.is(
    validators.items.reduce((sum: number, item: { blocks: number }) => sum + item.blocks, 0),
    head + 1,
  );
  t.deepEqual(
    validators.items.map((item: { address: string }) => item.address).sort(),
    [...new Set(blocks.map(({ miner }) => miner))].sort(),
  );
  const { body: config } = await api.get('/api/v1/network/config');
  t.like(config, { chainId: '0x425d4', genesisHash: blocks[0]!.hash });
  t.true(
    config.tokens.some(
      (token: { symbol: string; decimals: number }) => token.symbol === 'USDX' && token.decimals === 6,
    ),
  );
});

test.serial('walk keeps its head and reports when a reorg replaced it', async (t) => {
  const first = (await api.get('/api/v1/transactions?order=asc&limit=200')).body;
  const last = (await api.get(`/api/v1/accounts/${blocks[3]!.txs[0]!.from}/transactions?limit=2`)).body;
  await chain.mineLive(2);
  await pipeline.caughtUp(headReader(chain));
  const rest = await walk('/transactions?order=asc&limit=200', first.nextCursor);
  t.is(
    first.items.length + rest.length,
    blocks.reduce((sum, block) => sum + block.txs.length, 0),
  );
  const { reorgGeneration } = (await pipeline.state())!;
  await chain.reorg(4);
  const isFollowed = async () => (await pipeline.state())!.reorgGeneration > reorgGeneration;
  await waitFor(isFollowed, 30_000, 'the reorg is followed');
  await pipeline.caughtUp(headReader(chain));
  const { status, body } = await api.get(
    `/api/v1/accounts/${blocks[3]!.txs[0]!.from}/transactions?limit=2&cursor=${last.nextCursor}`,
  );
  t.is(status, 409, JSON.stringify(body));
  t.is(body.code, 'snapshot_invalidated');
  t.true(body.details.forkBlock < head && body.details.pinnedBlock === head);
});
