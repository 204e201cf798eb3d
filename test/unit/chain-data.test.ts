/** Blocks of real chains, with every transaction type. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import test from 'ava';
import { InvalidChainData } from '#chain/errors.ts';
import { AdaptiveLimit } from '#chain/rpc/adaptive-limit.ts';
import { checkReceived } from '#chain/rpc/fetch-blocks.ts';
import type { BlockBundle } from '#chain/rpc/wire-types.ts';
import { checkBundle } from '#chain/verify/check-bundle.ts';
import { checkLinks } from '#chain/verify/check-links.ts';
import { verifyBundle } from '#chain/verify/verify-bundle.ts';
import { encodeRange } from '#pipeline/encode/range-rows.ts';

const fixtures = join(import.meta.dirname, '../fixtures/chaindata');
const load = (name: string): BlockBundle[] =>
  gunzipSync(readFileSync(join(fixtures, name)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as BlockBundle);

const good = [
  'hivechain-54.ndjson.gz',
  'mainnet-4369999.json.gz',
  'mainnet-18500000.json.gz',
  'mainnet-20066032.json.gz',
];
const check = ({ block, receipts }: BlockBundle) => checkBundle(Number(block.number), block, receipts);

for (const name of good) {
  test(`${name} passes every check, hash and root, and is encoded`, (t) => {
    const bundles = load(name);
    for (const bundle of bundles) {
      check(bundle);
      verifyBundle(bundle, 'roots');
    }
    checkLinks(bundles, undefined);
    const rows = encodeRange(bundles, 1);
    t.is(rows.writers.blocks.rows, bundles.length);
    t.is(
      rows.writers.transactions.rows,
      bundles.reduce((sum, { receipts }) => sum + receipts.length, 0),
    );
    t.is(
      rows.writers.logs.rows,
      bundles.reduce((sum, { receipts }) => sum + receipts.reduce((logs, receipt) => logs + receipt.logs.length, 0), 0),
    );
  });
}

test('wrong answers of a real provider are rejected', (t) => {
  for (const name of ['cronos-6541.json.gz', 'cronos-131465.json.gz']) {
    t.is(t.throws(() => check(load(name)[0]!), { instanceOf: InvalidChainData })?.violation, 'receipt_count');
  }
});

test('fields that only a library refuses are errors of the node at every level', (t) => {
  const name = 'mainnet-20066032.json.gz';
  const changes: [string, (bundle: BlockBundle) => void][] = [
    ['roots', ({ block }) => Object.assign(block.transactions[0]!, { input: '0xzz' })],
    [
      'roots',
      ({ receipts }) => Object.assign(receipts.find(({ logs }) => logs.length > 0)!.logs[0]!, { data: '0xzz' }),
    ],
    ['hash', ({ block }) => Object.assign(block, { extraData: '0xzz' })],
  ];
  for (const [level, change] of changes) {
    const [bundle] = load(name);
    change(bundle!);
    const received: [unknown, unknown][] = [[bundle!.block, bundle!.receipts]];
    const check = () => checkReceived(20_066_032, received as never, level as 'roots');
    t.is(t.throws(check, { instanceOf: InvalidChainData })?.violation, 'bad_field', level);
  }
});

test('consistent lie is caught by hash and roots', (t) => {
  const lie = (change: (bundle: BlockBundle) => void) => {
    const bundle = load('mainnet-18500000.json.gz')[0]!;
    change(bundle);
    check(bundle);
    return t.throws(() => verifyBundle(bundle, 'roots'), { instanceOf: InvalidChainData })?.violation;
  };
  t.is(
    lie(({ block }) => {
      block.timestamp = '0x6546779e';
    }),
    'block_hash',
  );
  t.is(
    lie(({ block }) => {
      block.transactions[3]!.value = '0x1';
    }),
    'transactions_root',
  );
  t.is(
    lie(({ receipts }) => {
      receipts[0]!.logs[0]!.data = '0x';
    }),
    'receipts_root',
  );
  t.is(
    lie(({ block }) => {
      block.withdrawals![0]!.amount = '0x1';
    }),
    'withdrawals_root',
  );
});

test('every validator rejects its kind of error', (t) => {
  const findError = (change: (bundle: BlockBundle) => void) => {
    const bundle = load('mainnet-18500000.json.gz')[0]!;
    change(bundle);
    return t.throws(() => check(bundle), { instanceOf: InvalidChainData })?.violation;
  };
  t.is(
    findError(({ receipts }) => receipts.pop()),
    'receipt_count',
  );
  t.is(
    findError(({ receipts }) => {
      receipts[2]!.transactionHash = receipts[1]!.transactionHash;
    }),
    'receipt_mismatch',
  );
  t.is(
    findError(({ receipts }) => {
      receipts[2]!.gasUsed = '0x1';
    }),
    'cumulative_gas',
  );
  t.is(
    findError(({ block }) => {
      block.gasUsed = '0x1';
    }),
    'gas_used',
  );
  t.is(
    findError(({ block }) => {
      block.logsBloom = `0x${'0'.repeat(512)}`;
    }),
    'bloom',
  );
  t.is(
    findError(({ receipts }) => {
      receipts[0]!.logs[0]!.logIndex = '0x5';
    }),
    'log_index',
  );
  t.is(
    findError(({ block }) => {
      block.transactions[1]!.blockHash = block.parentHash;
    }),
    'wrong_block_hash',
  );
});

test('links reject a hole, another parent and an older block', (t) => {
  const chain = load('hivechain-54.ndjson.gz');
  t.throws(() => checkLinks([chain[3]!, chain[5]!], undefined), { message: /parent_link/ });
  t.throws(() => checkLinks(chain, `0x${'1'.repeat(64)}`), { message: /parent_link/ });
  const older = structuredClone(chain.slice(0, 10));
  older[9]!.block.timestamp = '0x0';
  t.throws(() => checkLinks(older, undefined), { message: /older/ });
});

test('limit of requests in flight grows at flat latency, halves on push-back and grows again', async (t) => {
  let now = 0;
  const limit = new AdaptiveLimit(32, () => now);
  const load1 = async () => {
    for (let i = 0; i < 60; i++) {
      await Promise.all(
        Array.from({ length: 40 }, () =>
          limit.run(async () => {
            now += 0;
          }),
        ),
      );
      now += 10;
    }
  };
  await load1();
  const grown = limit.limit;
  t.true(grown >= 16, `grew to ${grown}`);
  now += 1_000;
  limit.halve();
  t.true(limit.limit <= Math.ceil(grown / 2));
  limit.halve();
  t.true(limit.limit >= Math.floor(grown / 2) - 1, 'requests in flight together count once');
  now += 1_000;
  await load1();
  t.true(limit.limit > grown / 2);
});
