import test from 'ava';
import { buildCallTrees } from '#chain/codec/call-tree.ts';
import { readInternalCalls } from '#chain/codec/internal-calls.ts';
import { InvalidChainData, NoCallError } from '#chain/errors.ts';
import type { BlockBundle, WireCall, WireTrace } from '#chain/rpc/wire-types.ts';
import { checkCalls } from '#chain/verify/check-calls.ts';

const [a, b, c] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string];
const call = (type: string, more: Partial<WireCall> = {}): WireCall => ({
  type,
  from: a,
  to: b,
  value: '0x1',
  ...more,
});

test('delegated and static calls move nothing, calls within them may', (t) => {
  const root = call('CALL', {
    calls: [
      call('DELEGATECALL', { calls: [call('CALL', { to: c })] }),
      call('STATICCALL', { value: '0x0' }),
      call('CALLCODE'),
      call('CALL', { value: '0x0' }),
      call('CREATE', { value: '0x0' }),
      call('SELFDESTRUCT', { value: '0x5', to: c.toUpperCase().replace('0X', '0x') }),
    ],
  });
  t.deepEqual(
    readInternalCalls(root).map(({ type, to, value, traceId }) => [type, to, value, traceId]),
    [
      ['call', c, 1n, '0_0'],
      ['create', b, 0n, '4'],
      ['selfdestruct', c, 5n, '5'],
    ],
  );
});

test('a self-destruct of a contract that the transaction created is kept without value', (t) => {
  const end = (from: string) => call('SELFDESTRUCT', { from, to: c, value: '0x0' });
  const root = call('CREATE', { to: b, calls: [end(b), end(a), call('CREATE2', { to: a, value: '0x0' }), end(a)] });
  t.deepEqual(
    readInternalCalls(root).map(({ type, from, traceId }) => [type, from, traceId]),
    [
      ['selfdestruct', b, '0'],
      ['create2', a, '2'],
      ['selfdestruct', a, '3'],
    ],
  );
});

test('failed call reverts everything within it and nothing else', (t) => {
  const root = call('CALL', {
    calls: [
      call('CALL', { error: 'Reverted', calls: [call('CALL', { calls: [call('CREATE2')] })] }),
      call('CREATE', { to: null, error: 'out of gas' }),
      call('CALL'),
    ],
  });
  t.deepEqual(
    readInternalCalls(root).map(({ traceId, to, error }) => [traceId, to, error]),
    [
      ['0', b, 'execution reverted'],
      ['0_0', b, 'execution reverted'],
      ['0_0_0', b, 'execution reverted'],
      ['1', null, 'out of gas'],
      ['2', b, ''],
    ],
  );
  t.true(readInternalCalls({ ...root, error: 'reverted' }).every(({ error }) => error !== ''));
});

const trace = (traceAddress: number[], subtraces: number, more: object = {}): WireTrace => ({
  type: 'call',
  action: { from: a, to: b, value: '0x1', callType: 'call' },
  result: { gasUsed: '0x0' },
  blockHash: '0x',
  transactionHash: '0x',
  transactionPosition: 0,
  traceAddress,
  subtraces,
  ...more,
});

test('flat traces become trees only if every call has its position', (t) => {
  const [root] = buildCallTrees([trace([], 2), trace([0], 1), trace([0, 0], 0), trace([1], 0)], 1);
  t.deepEqual(
    readInternalCalls(root!).map(({ traceId }) => traceId),
    ['0', '0_0', '1'],
  );
  const broken: [WireTrace[], RegExp][] = [
    [[trace([], 1)], /0 subcalls, but its field subtraces is 1/],
    [[trace([], 1), trace([1], 0)], /out of place/],
    [[trace([0], 0)], /out of place/],
    [[trace([], 0), trace([], 0)], /twice/],
    [[trace([], 0, { transactionPosition: 1 })], /position 1, the block has 1 transactions/],
    [[], /no trace of transaction 0/],
    [[trace([], 0, { type: 'teleport' })], /type "teleport"/],
  ];
  for (const [traces, words] of broken)
    t.throws(() => buildCallTrees(traces, 1), { instanceOf: NoCallError, message: words });
});

test('call tree counts only for its own transaction', (t) => {
  const block = { number: '0x7', transactions: [{ hash: '0x', from: a, to: b, value: '0x1', input: '0xab' }] };
  const bundle = { block, receipts: [{ status: '0x1', contractAddress: null }] } as unknown as BlockBundle;
  const root = call('CALL', { input: '0xAB' });
  t.deepEqual(
    checkCalls(bundle, () => [root]),
    [[]],
  );
  const others: [Partial<WireCall>, string][] = [
    [{ from: c }, 'from'],
    [{ to: c }, 'to'],
    [{ value: '0x2' }, 'value'],
    [{ input: '0xac' }, 'input'],
    [{ error: 'reverted' }, 'outcome'],
  ];
  for (const [change, field] of others)
    t.throws(() => checkCalls(bundle, () => [{ ...root, ...change }]), {
      instanceOf: InvalidChainData,
      message: new RegExp(`trace_mismatch: .*: ${field} differs`),
    });
  t.throws(() => checkCalls(bundle, () => []), { message: /trace_count/ });
});
