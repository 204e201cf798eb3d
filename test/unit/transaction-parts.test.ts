import test from 'ava';
import fc from 'fast-check';
import type { Html } from '#api/drawing/html.ts';
import { callDataView } from '#api/pages/transaction/call-data.ts';
import { callTreeView, listSelectors } from '#api/pages/transaction/call-tree.ts';
import { worthView } from '#api/pages/transaction/worth.ts';
import { parsePending } from '#api/read/chain/pending-transaction.ts';
import { readTypedFields } from '#api/read/chain/typed-fields.ts';
import type { WireCall } from '#chain/rpc/wire-types.ts';

const toText = (view: Html | false) => (view ? view.text : '');
const toHex = (text: string) => `0x${Buffer.from(text).toString('hex')}`;

test('amount shows what it was worth on its day and now, and nothing without a price', (t) => {
  const coin = String(15n * 10n ** 17n);
  t.regex(toText(worthView({ onDay: 2, now: 3 }, coin)), /\$3\.00 that day, \$4\.50 now/);
  t.regex(toText(worthView({ onDay: undefined, now: 3 }, coin)), />\$4\.50 now</);
  t.false(worthView({ onDay: undefined, now: undefined }, coin));
  t.false(worthView(undefined, coin));
});

test('typed fields that were not stored are unknown, not empty', (t) => {
  const unknown = { accessList: null, blobVersionedHashes: null, authorizationList: null };
  const none = { accessList: [], blobVersionedHashes: [], authorizationList: [] };
  t.deepEqual(readTypedFields({ type: 2, typed_fields: '0x' }), unknown);
  t.deepEqual(readTypedFields({ type: 0, typed_fields: '0x' }), none);
  t.deepEqual(readTypedFields({ type: 2, typed_fields: toHex('{}') }), none);
  const broken = { chainId: '0x1', address: `0x${'1'.repeat(40)}`, nonce: '0x2', yParity: '0x0', r: '0x0', s: '0x0' };
  const { authorizationList } = readTypedFields({
    type: 4,
    typed_fields: toHex(JSON.stringify({ authorizationList: [broken] })),
  });
  t.deepEqual(authorizationList, [{ chainId: '1', address: broken.address, nonce: '2', authority: null }]);
});

const pending = {
  hash: `0x${'ab'.repeat(32)}`,
  from: `0x${'Cd'.repeat(20)}`,
  to: null,
  nonce: '0x5',
  value: '0xde0b6b3a7640000',
  gas: '0x5208',
  input: '0x',
  type: '0x2',
  maxFeePerGas: '0x2',
  maxPriorityFeePerGas: '0x1',
};

test('pending transaction of a node is used only if each field has its type', (t) => {
  t.like(parsePending(pending.hash, pending), { sender: `0x${'cd'.repeat(20)}`, nonce: 5, value: String(10n ** 18n) });
  t.is(parsePending(`0x${'00'.repeat(32)}`, pending), undefined, 'another transaction');
  t.is(parsePending(pending.hash, null), undefined);
  for (const field of ['hash', 'from', 'nonce', 'value', 'gas', 'maxFeePerGas', 'type', 'input'])
    for (const wrong of [7, '<b>', {}])
      t.is(parsePending(pending.hash, { ...pending, [field]: wrong }), undefined, `${field} is ${wrong}`);
});

test('call tree of a node never becomes markup, whatever its fields are', (t) => {
  const text = fc.oneof(
    fc.constant('<script>'),
    fc.constant(null),
    fc.string(),
    fc.integer(),
    fc.constant('0x12345678'),
  );
  const call = fc.letrec((tie) => ({
    call: fc.record({
      type: text,
      from: text,
      to: text,
      value: text,
      gasUsed: text,
      error: text,
      input: text,
      calls: tie('calls'),
    }),
    calls: fc.oneof({ depthSize: 'small' }, fc.constant(null), fc.array(tie('call'), { maxLength: 4 })),
  })).call;
  fc.assert(
    fc.property(call, (root) => {
      const tree = root as unknown as WireCall;
      listSelectors(tree);
      t.notRegex(callTreeView(tree, 21_000, () => null, 'FAT').text, /<script>/);
    }),
  );
});

test('call data is shown as words only if it consists of a selector and words', (t) => {
  const word = '0'.repeat(63);
  t.regex(toText(callDataView(`0xa9059cbb${word}1${word}2`)), /Method .*a9059cbb.*<li>.*<li>/);
  t.notRegex(toText(callDataView(`0xa9059cbb${word}`)), /Method/);
  t.regex(toText(callDataView('0x')), /no call data/);
});
