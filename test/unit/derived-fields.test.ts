import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import test from 'ava';
import { encodeHeader, encodeTransaction } from '#chain/codec/rlp-fields.ts';
import { InvalidChainData } from '#chain/errors.ts';
import { normaliseBlock } from '#chain/rpc/normalise-block.ts';
import type { BlockBundle, WireReceipt } from '#chain/rpc/wire-types.ts';
import { checkBundle } from '#chain/verify/check-bundle.ts';
import { keccak256Hex } from '#chain/verify/keccak.ts';
import { orderedTrieRoot } from '#chain/verify/trie-root.ts';
import { verifyBundle } from '#chain/verify/verify-bundle.ts';

// biome-ignore lint/suspicious/noExplicitAny: blocks are broken on purpose
type Any = any;

const fixtures = join(import.meta.dirname, '../fixtures/chaindata');
const load = (name: string): BlockBundle[] =>
  gunzipSync(readFileSync(join(fixtures, name)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as BlockBundle);
const mainnet = () => load('mainnet-18500000.json.gz')[0]!;
const blobs = () => load('mainnet-20066032.json.gz')[0]!;

function take({ block, receipts }: BlockBundle): BlockBundle {
  return checkBundle(Number(block.number), block, normaliseBlock(block, receipts));
}

const findError = (bundle: BlockBundle, change: (bundle: Any) => void) => {
  change(bundle);
  try {
    take(bundle);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidChainData) return error.violation;
    throw error;
  }
};

test('B11: lies in derived fields are rejected by default', (t) => {
  const hash = (bundle: BlockBundle, which: (tx: Any) => boolean) => bundle.block.transactions.findIndex(which);
  const of1559 = hash(mainnet(), (tx) => tx.type === '0x2');
  const legacy = hash(mainnet(), (tx) => tx.type === '0x0');
  t.is(
    findError(mainnet(), ({ receipts }) => (receipts[of1559].effectiveGasPrice = '0x1')),
    'gas_price',
  );
  t.is(
    findError(mainnet(), ({ receipts }) => (receipts[legacy].effectiveGasPrice = '0xffffffffffff')),
    'gas_price',
  );
  t.is(
    findError(mainnet(), ({ receipts }) => (receipts[3].contractAddress = `0x${'ab'.repeat(20)}`)),
    'contract_address',
  );
  t.is(
    findError(mainnet(), ({ block }) => (block.transactions[4].to = null)),
    'receipt_mismatch',
    'a recipient that was lost in the block stands in the receipt',
  );
  t.is(
    findError(mainnet(), ({ block }) => (block.transactions[5].from = `0x${'cd'.repeat(20)}`)),
    'receipt_mismatch',
  );
  const blob = hash(blobs(), (tx) => tx.type === '0x3');
  t.true(blob >= 0);
  t.is(
    findError(blobs(), ({ receipts }) => (receipts[blob].blobGasPrice = '0x7')),
    'blob_fee',
  );
  t.is(
    findError(blobs(), ({ receipts }) => (receipts[blob].blobGasUsed = '0x1')),
    'blob_fee',
  );
  t.is(
    findError(blobs(), ({ block }) => (block.blobGasUsed = '0x20000')),
    'blob_fee',
  );
  t.is(
    findError(blobs(), ({ block, receipts }) => {
      block.excessBlobGas = `0x${'f'.repeat(64)}`;
      receipts[blob].blobGasPrice = '0x1';
    }),
    'blob_fee',
    'an excess that would be worked on for years is refused at once',
  );
  const isCreated = ({ block, receipts }: BlockBundle) =>
    block.transactions.some((tx, i) => !tx.to && receipts[i]!.status === '0x1');
  const creations = load('hivechain-54.ndjson.gz').filter(isCreated);
  t.true(creations.length > 0);
  const change = ({ receipts }: Any) => {
    for (const receipt of receipts) if (receipt.contractAddress) receipt.contractAddress = `0x${'ab'.repeat(20)}`;
  };
  t.is(findError(creations[0]!, change), 'contract_address');
  const forget = ({ receipts }: Any) => {
    for (const receipt of receipts) if (receipt.contractAddress) receipt.contractAddress = null;
  };
  t.is(
    findError(load('hivechain-54.ndjson.gz').find((one) => one.block.number === creations[0]!.block.number)!, forget),
    'contract_address',
  );
});

test('B11: a list that is empty although its hash is not is rejected by default, and the reverse', (t) => {
  t.is(
    findError(mainnet(), ({ block }) => (block.withdrawals = [])),
    'withdrawals_root',
  );
  t.is(
    findError(mainnet(), ({ block }) => block.uncles.push(`0x${'ab'.repeat(32)}`)),
    'bad_field',
  );
  const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
  t.is(
    findError(mainnet(), ({ block }) => (block.transactionsRoot = emptyRoot)),
    'transactions_root',
  );
  const ofOptimism = mainnet() as Any;
  ofOptimism.block.withdrawals = [];
  ofOptimism.block.blobGasUsed = '0x1000';
  Object.assign(ofOptimism.block.transactions[0], { type: '0x7e' });
  t.notThrows(() => take(ofOptimism), 'headers of the OP family have other meanings');
  const ofArbitrum = mainnet() as Any;
  Object.assign(ofArbitrum.block.transactions[0], { type: '0x6a' });
  for (const receipt of ofArbitrum.receipts) receipt.effectiveGasPrice = ofArbitrum.block.baseFeePerGas;
  t.notThrows(() => take(structuredClone(ofArbitrum)), 'Arbitrum charges the base fee alone');
  const ofBase = structuredClone(ofArbitrum);
  ofBase.block.transactions[0].type = '0x7e';
  t.throws(() => take(ofBase), { message: /has gas price/ }, 'the OP family charges tips');
  ofArbitrum.receipts[1].effectiveGasPrice = '0x1';
  t.throws(() => take(ofArbitrum), { message: /receipt 1 has gas price 1 wei/ });
  const unhashed = mainnet() as Any;
  unhashed.block.transactionsRoot = `0x${'0'.repeat(64)}`;
  t.notThrows(() => take(unhashed), 'a chain that does not compute roots');
});

test('B11: a sender that did not sign is rejected by VERIFY=roots', (t) => {
  const bundle = mainnet() as Any;
  const stranger = `0x${'cd'.repeat(20)}`;
  bundle.block.transactions[6].from = stranger;
  bundle.receipts[6].from = stranger;
  take(bundle);
  const error = t.throws(() => verifyBundle(bundle, 'roots'), { instanceOf: InvalidChainData });
  t.is(error?.violation, 'sender');
});

test('signatures with the higher s, as before Homestead, have the same signer', (t) => {
  const bundle = mainnet() as Any;
  const [transaction] = bundle.block.transactions;
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  transaction.s = `0x${(order - BigInt(transaction.s)).toString(16)}`;
  const isEven = BigInt(transaction.v) % 2n === 0n;
  transaction.v = `0x${(BigInt(transaction.v) + (isEven ? 1n : -1n)).toString(16)}`;
  if (transaction.yParity) transaction.yParity = transaction.v;
  const encoded = bundle.block.transactions.map((one: Any) => encodeTransaction(one)!);
  transaction.hash = keccak256Hex(encoded[0]);
  bundle.block.transactionsRoot = orderedTrieRoot(encoded);
  bundle.block.hash = keccak256Hex(encodeHeader(bundle.block)!);
  t.notThrows(() => verifyBundle(bundle, 'roots'));
});

test('B12: blob fees that receipts lack are added if all forks give the same', (t) => {
  const fees = ({ receipts }: BlockBundle) => receipts.map((receipt) => [receipt.blobGasUsed, receipt.blobGasPrice]);
  const blocks = load('hivechain-54.ndjson.gz').filter(({ block }) =>
    block.transactions.some((tx) => tx.type === '0x3'),
  );
  t.true(blocks.length > 0);
  for (const bundle of blocks) {
    const at = bundle.block.transactions.findIndex((tx) => tx.type === '0x3');
    t.deepEqual(fees(bundle)[at], [undefined, undefined]);
    t.deepEqual(fees(take(bundle))[at], ['0x20000', '0x1']);
    t.true(fees(bundle).every((fee, i) => i === at || fee.every((one) => one === undefined)));
  }
  const at = blobs().block.transactions.findIndex((tx) => tx.type === '0x3');
  t.deepEqual(fees(take(blobs()))[at], ['0xc0000', undefined], 'the price depends on the fork');
  const ofGnosis = blocks[0] as Any;
  const ofBlob = ofGnosis.block.transactions.findIndex((tx: Any) => tx.type === '0x3');
  ofGnosis.block.transactions[ofBlob].chainId = '0x64';
  delete ofGnosis.receipts[ofBlob].blobGasPrice;
  t.is(fees(take(ofGnosis))[ofBlob]?.[1], '0x3b9aca00', 'Gnosis Chain begins at 1 gwei');
  ofGnosis.block.transactions[ofBlob].chainId = '0x1';
  t.throws(() => take(ofGnosis), { message: /has 1000000000 wei per blob gas/ });
});

test('B12: values with one meaning are normalised to one form', (t) => {
  const same = (change: (bundle: Any) => void, view: (bundle: BlockBundle) => unknown) => {
    const bundle = mainnet() as Any;
    change(bundle);
    t.deepEqual(view(take(bundle)), view(take(mainnet())));
  };
  same(
    ({ block }) => {
      for (const tx of block.transactions) {
        tx.data = tx.input;
        delete tx.input;
      }
    },
    ({ block }) => block.transactions.map(({ input }) => input),
  );
  same(
    ({ block }) => {
      block.author = block.miner;
      delete block.miner;
    },
    ({ block }) => block.miner,
  );
  same(
    ({ block }) => (block.logsBloom = null),
    ({ block }) => block.logsBloom,
  );
  same(
    ({ receipts }) => {
      for (const { logs } of receipts as WireReceipt[])
        for (const [i, log] of logs.entries()) log.logIndex = `0x${i.toString(16)}`;
    },
    ({ receipts }) => receipts.flatMap(({ logs }) => logs.map(({ logIndex }) => logIndex)),
  );
  same(
    ({ receipts }) =>
      receipts.push({
        ...receipts[0],
        logs: [],
        gasUsed: '0x0',
        transactionHash: `0x${'0'.repeat(64)}`,
        status: '0x0',
      }),
    ({ receipts }) => receipts.length,
  );
  const nameless = mainnet() as Any;
  delete nameless.block.miner;
  t.is(take(nameless).block.miner, `0x${'0'.repeat(40)}`);
  const deposit = mainnet() as Any;
  Object.assign(deposit.block.transactions[0], { type: '0x7e', nonce: undefined });
  Object.assign(deposit.receipts[0], { type: '0x7e', depositNonce: '0x12' });
  t.is(take(deposit).block.transactions[0]!.nonce, '0x12');
});

test('B12: ambiguous values are rejected', (t) => {
  t.is(
    findError(mainnet(), ({ block }) => delete block.transactions[0].nonce),
    'bad_field',
  );
  t.is(
    findError(mainnet(), ({ receipts }) => receipts.push({ ...receipts[0], transactionHash: `0x${'0'.repeat(64)}` })),
    'receipt_count',
  );
  t.is(
    findError(
      mainnet(),
      ({ receipts }) => (receipts.find(({ logs }: WireReceipt) => logs.length > 0).logs[0].logIndex = '0x9999'),
    ),
    'log_index',
  );
});
