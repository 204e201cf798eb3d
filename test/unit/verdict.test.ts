/** The judgement over a deposit, by what its sources say. */
import test from 'ava';
import { judge } from '#api/deposits/verdict.ts';

test('judgement: sources that contradict each other are never credited', (t) => {
  const hash = `0x${'1'.repeat(64)}`;
  const seen = (change: object = {}) => ({
    source: 'ok' as const,
    found: true,
    status: 1 as const,
    blockNumber: 100,
    blockHash: hash,
    latest: 120,
    hashAtHeight: hash,
    ...change,
  });
  const expected = { to: '0xto', minValue: 1n, chainId: 271_828 };
  const evidence = (change: object = {}) => ({
    writer: seen(),
    pool: seen(),
    index: seen(),
    transfer: { from: '0xa', to: '0xto', value: 5n },
    chainId: 271_828,
    ...change,
  });
  const none = { found: false, status: null, blockNumber: null, blockHash: null, hashAtHeight: null };
  t.is(judge(evidence(), expected).state, 'creditable');
  t.is(judge(evidence({ pool: null }), expected).state, 'creditable');
  t.is(
    judge(evidence({ pool: { ...seen(), ...none, source: 'unavailable', latest: null } }), expected).state,
    'creditable',
  );
  t.is(
    judge(evidence({ writer: { ...seen(), ...none }, pool: seen() }), expected).state,
    'creditable',
    'a receipt of the pool is enough',
  );
  t.is(judge(evidence({ writer: seen({ blockHash: `0x${'2'.repeat(64)}` }) }), expected).state, 'disagreement');
  t.is(judge(evidence({ writer: seen({ status: 0 }) }), expected).state, 'disagreement');
  t.is(judge(evidence({ writer: seen({ hashAtHeight: `0x${'2'.repeat(64)}` }) }), expected).state, 'disagreement');
  const elsewhere = { ...seen(), ...none, hashAtHeight: `0x${'2'.repeat(64)}` };
  t.is(
    judge(evidence({ pool: elsewhere }), expected).state,
    'disagreement',
    'a pool on another chain without the receipt',
  );
  t.is(judge(evidence({ index: { ...seen(), ...none } }), expected).state, 'notIndexed');
  t.is(judge(evidence({ writer: seen({ latest: 119 }), pool: null }), expected).state, 'confirming');
  t.is(judge(evidence({ chainId: 1 }), expected).state, 'mismatch');
  const dead = { ...none, source: 'unavailable' as const, latest: null };
  t.is(judge(evidence({ writer: dead, pool: dead }), expected).state, 'unavailable');
});
