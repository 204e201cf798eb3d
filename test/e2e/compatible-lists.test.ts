import test, { type ExecutionContext } from 'ava';
import PQueue from 'p-queue';
import { zeroAddress } from '#chain/codec/hex.ts';
import { groupBy } from '#runtime/lists.ts';
import type { ModelTransfer } from '#test/helpers/chain-model.ts';
import {
  type CompatibleChain,
  everyCursor,
  everyPage,
  lower,
  type Row,
  startCompatibleChain,
  txlistRows,
} from '#test/helpers/compatible-chain.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { headReader, startApi } from '#test/helpers/service.ts';

let indexed: CompatibleChain;

test.before(async () => {
  indexed = await startCompatibleChain(110, 12);
});

test.after.always(() => indexed?.stop());

const ask = (query: string) => indexed.ask(query);

async function isListed(
  t: ExecutionContext,
  query: string,
  expected: readonly unknown[],
  view: (row: Row) => unknown = (row) => row,
): Promise<Row[]> {
  const offset = Math.max(9, Math.ceil(expected.length / 2) + 1);
  const ascending = await everyPage(indexed, `${query}&sort=asc`, offset);
  t.deepEqual(ascending.map(view), expected, query);
  if (expected.length === 0) return [];
  const descending = await everyCursor(indexed, `${query}&sort=desc`, offset);
  t.deepEqual(descending.map(view), [...expected].reverse(), `${query} backwards`);
  return ascending;
}

async function forEach<T>(items: Iterable<T>, check: (item: T) => Promise<unknown>): Promise<void> {
  await new PQueue({ concurrency: 6 }).addAll([...items].map((item) => () => check(item)));
}

const allTransactions = () => txlistRows(indexed);
/** A failed creation has no contract, even if its receipt names an address. */
const made = (row: Row) => (row.isError === '0' ? row.contractAddress : '');

test.serial('a list up to a time is refused while a block of that time can still arrive', async (t) => {
  const { time } = indexed.blocks.at(-1)!;
  const { from } = allTransactions()[5]!;
  const list = (end: number) => ask(`module=account&action=txlist&address=${from}&endtimestamp=${end}`);
  await waitFor(async () => Date.now() > (time + 3) * 1_000, 10_000, 'the time of the newest block is over');
  t.is((await list(time)).status, '1', 'later blocks have later times');
  const recent = Math.floor(Date.now() / 1_000) - 1;
  t.regex((await list(recent)).result, /^Error! A block of the time \d+ can still arrive. Please try again later/);
  t.is((await list(time + 86_400)).status, '1', 'a time to come is no end');
});

test.serial('txlist of every address returns all fields in both orders on all pages', async (t) => {
  const all = allTransactions();
  await forEach(indexed.addresses, (address) => {
    const expected = all.filter((row) => [row.from, row.to, made(row)].includes(address));
    return isListed(t, `module=account&action=txlist&address=${address}`, expected);
  });
});

test.serial('txlist filters by sender, recipient or both', async (t) => {
  const all = allTransactions();
  const sent = all.filter((row) => row.to !== '' && row.value !== '0');
  for (const { from, to } of [sent[3]!, sent.at(-2)!]) {
    // a contract is the recipient of the transaction that creates it
    const receives = (row: Row) => row.to === to || made(row) === to;
    const both = (row: Row) => row.from === from && receives(row);
    const isBetween = ({ blockNumber }: Row) => Number(blockNumber) >= 9 && Number(blockNumber) <= 200;
    const cases: [string, (row: Row) => boolean][] = [
      [`from=${from}`, (row) => row.from === from],
      [`to=${to}`, receives],
      [`from=${from}&to=${to}&fromto_opr=and`, both],
      [`from=${from}&to=${to}&fromto_opr=OR`, (row) => row.from === from || receives(row)],
      [`address=${from}&to=${to}`, both],
      [`address=${to}&filterby=to`, receives],
      [`address=${from}&filter_by=from`, (row) => row.from === from],
      [
        `address=${to}&filterby=to&starttimestamp=${sent[3]!.timeStamp}&endtimestamp=${sent.at(-9)!.timeStamp}`,
        (row) => receives(row) && row.timeStamp! >= sent[3]!.timeStamp! && row.timeStamp! <= sent.at(-9)!.timeStamp!,
      ],
      [`address=${to}&from=${from}&startblock=9&endblock=110`, (row) => both(row) && isBetween(row)],
    ];
    for (const [query, holds] of cases) await isListed(t, `module=account&action=txlist&${query}`, all.filter(holds));
  }
});

const actions = { erc20: 'tokentx', erc721: 'tokennfttx', erc1155: 'token1155tx' } as const;
const toKey = (row: Row) => [
  row.hash,
  row.logIndex,
  row.batchIndex ?? '0',
  row.from,
  row.to,
  row.value ?? row.tokenValue ?? '1',
  row.tokenID ?? '0',
];
const modelKey = (transfer: ModelTransfer) => [
  transfer.txHash,
  String(transfer.logIndex),
  String(transfer.batchIndex),
  transfer.from,
  transfer.to,
  String(transfer.value),
  String(transfer.tokenId),
];

for (const [standard, action] of Object.entries(actions)) {
  test.serial(`${action} of every address and contract returns both orders on all pages`, async (t) => {
    const all = indexed.transfers.filter((transfer) => transfer.standard === standard);
    t.true(all.length > 0);
    const transactions = new Map(allTransactions().map((row) => [row.hash, row]));
    const tokens = new Set(all.map((transfer) => transfer.token));
    const ofIt = new Set(all.flatMap(({ from, to }) => [from, to]));
    const without = [...indexed.addresses].filter((address) => !ofIt.has(address)).slice(0, 5);
    const cases: [string, ModelTransfer[]][] = [
      ...[...ofIt, ...without].map((address): [string, ModelTransfer[]] => [
        `address=${address}`,
        all.filter((transfer) => transfer.from === address || transfer.to === address),
      ]),
      ...[...tokens].map((token): [string, ModelTransfer[]] => [
        `contractaddress=${token}`,
        all.filter((transfer) => transfer.token === token),
      ]),
    ];
    await forEach(cases, async ([query, expected]) => {
      const [row] = await isListed(t, `module=account&action=${action}&${query}`, expected.map(modelKey), toKey);
      if (!row) return;
      const { nonce, blockHash, timeStamp, gas, gasPrice, gasUsed, ...more } = transactions.get(row.hash)!;
      const { cumulativeGasUsed, transactionIndex, methodId } = more;
      t.like(row, { nonce, blockHash, timeStamp, gas, gasPrice, gasUsed, input: 'deprecated' });
      t.like(row, { cumulativeGasUsed, transactionIndex, methodId });
    });
  });
}

test.serial('tokentx combines sender, recipient and contract', async (t) => {
  const all = indexed.transfers.filter((transfer) => transfer.standard === 'erc20');
  const { from, to, token } = all.at(-1)!;
  const cases: [string, (transfer: ModelTransfer) => boolean][] = [
    [
      `contractaddress=${token}&address=${from}`,
      (one) => one.token === token && (one.from === from || one.to === from),
    ],
    [`from=${from}&to=${to}&fromto_opr=and`, (one) => one.from === from && one.to === to],
    [`from=${from}&to=${to}&fromto_opr=or`, (one) => one.from === from || one.to === to],
    [`contractaddress=${token}&to=${to}`, (one) => one.token === token && one.to === to],
  ];
  for (const [query, holds] of cases) {
    await isListed(t, `module=account&action=tokentx&${query}`, all.filter(holds).map(modelKey), toKey);
  }
  t.like(await ask('module=account&action=tokentx'), {
    status: '0',
    message: 'NOTOK',
    result: 'Error! Missing address',
  });
});

test.serial('getLogs pages by emitter and topics and returns hex', async (t) => {
  const all = indexed.wire.flatMap(({ header, receipts }) =>
    receipts.flatMap((receipt) =>
      receipt.logs.map((log: Row) => ({
        address: lower(log.address),
        topics: log.topics,
        data: log.data,
        blockNumber: log.blockNumber,
        blockHash: log.blockHash,
        timeStamp: header.timestamp,
        gasPrice: receipt.effectiveGasPrice,
        gasUsed: receipt.gasUsed,
        logIndex: log.logIndex,
        transactionHash: log.transactionHash,
        transactionIndex: log.transactionIndex,
      })),
    ),
  );
  const emitters = new Set(all.map((log) => log.address));
  const pick = all.find((log) => log.topics.length === 3)!;
  const [a, b, c] = pick.topics as [string, string, string];
  const zero = `0x${'0'.repeat(64)}`;
  const has = (log: Row, i: number, topic: string) => log.topics[i] === topic;
  const cases: [string, (log: Row) => boolean][] = [
    ...[...emitters].map((emitter): [string, (log: Row) => boolean] => [
      `address=${emitter}`,
      (log) => log.address === emitter,
    ]),
    [`topic0=${a}`, (log) => has(log, 0, a)],
    [`topic0=${a}&topic1=${b}&topic0_1_opr=and`, (log) => has(log, 0, a) && has(log, 1, b)],
    [`topic0=${a}&topic2=${c}&topic0_2_opr=and`, (log) => has(log, 0, a) && has(log, 2, c)],
    [`topic1=${b}&topic2=${c}&topic1_2_opr=or`, (log) => has(log, 1, b) || has(log, 2, c)],
    [`address=${pick.address}&topic1=${zero}`, (log) => log.address === pick.address && has(log, 1, zero)],
    [`topic2=${zero}`, (log) => has(log, 2, zero)],
    [
      `topic0=${a}&fromBlock=20&toBlock=0x50`,
      (log) => has(log, 0, a) && Number(log.blockNumber) >= 20 && Number(log.blockNumber) <= 80,
    ],
    [`topic0=${a}&fromBlock=latest`, (log) => has(log, 0, a) && Number(log.blockNumber) > indexed.head],
  ];
  for (const [query, holds] of cases) {
    await isListed(t, `module=logs&action=getLogs&${query}`, all.filter(holds));
  }
  t.like(await ask('module=logs&action=getLogs'), { status: '0', message: 'NOTOK' });
});

test.serial('page with too much call or log data is refused, and a smaller page is returned', async (t) => {
  const { database } = indexed.pipeline.deps;
  for (const [table, column] of [
    ['transactions', 'input'],
    ['logs', 'data'],
  ])
    await database.command(
      `ALTER TABLE ${table} UPDATE ${column} = repeat('a', 600000) IN PARTITION (1, 0) WHERE block_number < 90`,
      { mutations_sync: '2' },
    );
  const api = await startApi(database, [indexed.chain.rpc.url]);
  t.teardown(() => api.stop());
  const mostFrequent = (rows: readonly Row[], name: string): string =>
    [...groupBy(rows, (row) => row[name])].sort(([, a], [, b]) => b.length - a.length)[0]![0];
  const sender = mostFrequent(
    allTransactions().filter(({ blockNumber }) => Number(blockNumber) < 90),
    'from',
  );
  const emitter = mostFrequent(
    indexed.wire.slice(0, 90).flatMap(({ receipts }) => receipts.flatMap(({ logs }) => logs)),
    'address',
  );
  for (const query of [
    `module=account&action=txlist&address=${sender}&endblock=89`,
    `module=logs&action=getLogs&address=${emitter}&fromBlock=0&toBlock=89`,
  ]) {
    const whole = (await api.get(`/api?${query}&page=1&offset=1000`)).body;
    t.regex(whole.result, /^Error! the rows of this page contain too much data/, query);
    const small = (await api.get(`/api?${query}&page=1&offset=3`)).body;
    t.is(small.result.length, 3, query);
  }
});

test.serial('tokens of the zero address are refused, not listed as none', async (t) => {
  for (const action of ['addresstokenbalance', 'tokenlist', 'addresstokennftbalance', 'addresstokennftinventory']) {
    const { status, message, result } = await ask(`module=account&action=${action}&address=${zeroAddress}`);
    t.deepEqual([status, message], ['0', 'NOTOK'], action);
    t.regex(result, /tokens of the zero address are burned, and not counted/);
  }
});

test.serial('a cursor of a list that begins at a tag is refused once the tag has moved', async (t) => {
  const { chain, pipeline, blocks } = indexed;
  const from = blocks.findLast(({ txs }) => txs.length > 3)!.txs[0]!.from;
  const list = `module=account&action=txlist&address=${from}&sort=asc&page=1&offset=1&startblock=`;
  const [first, ofNumber] = [await ask(`${list}finalized`), await ask(`${list}1`)];
  t.is(typeof first.next, 'string', JSON.stringify(first));
  t.like(await ask(`${list}finalized&cursor=${first.next}`), { status: '1' });
  const { finalized } = (await pipeline.state())!;
  await chain.mineLive(40);
  await pipeline.caughtUp(headReader(chain));
  await waitFor(async () => (await pipeline.state())!.finalized > finalized, 30_000, 'more blocks are final');
  t.like(await ask(`${list}1&cursor=${ofNumber.next}`), { status: '1' });
  t.regex((await ask(`${list}finalized&cursor=${first.next}`)).result, /cursor/);
});

test.serial('tokentx asks contracts whose decimals are not stored yet, and lists no amount without them', async (t) => {
  const { chain, engine, pipeline, transfers } = indexed;
  const { token } = transfers.find(({ standard }) => standard === 'erc20')!;
  const query = `/api?module=account&action=tokentx&contractaddress=${token}&offset=5&page=1`;
  const { result } = (await indexed.api.get(query)).body;
  t.regex(result[0].tokenDecimal, /^\d+$/);
  await pipeline.stop();
  const database = await engine.open('indexed');
  await database.command('ALTER TABLE tokens DELETE WHERE 1 SETTINGS mutations_sync = 2');
  const api = await startApi(database, [chain.rpc.url]);
  t.teardown(() => api.stop());
  const view = ({ hash, value, tokenDecimal, tokenName, tokenSymbol }: Row) =>
    [hash, value, tokenDecimal, tokenName, tokenSymbol].join();
  t.deepEqual((await api.get(query)).body.result.map(view), result.map(view));
  const alone = await startApi(database, ['http://127.0.0.1:9']);
  t.teardown(() => alone.stop());
  const refused = (await alone.get(query)).body;
  t.is(refused.status, '0');
  t.regex(refused.result, /decimals of the token 0x\w+ are not read yet/);
});
