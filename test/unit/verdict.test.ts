import test from 'ava';
import { judge } from '#api/read/deposits/verdict.ts';

test('judgement never credits a deposit when its sources contradict each other', (t) => {
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
  const expected = { to: '0xto', minValue: 1n, minConfirmations: 20, chainId: 271_828 };
  const evidence = (change: object = {}) => ({
    writer: seen(),
    pool: seen(),
    index: seen(),
    transfer: { from: '0xa', to: '0xto', value: 5n },
    isSameTransfer: true,
    chainId: 271_828,
    isChainIdKnown: true,
    ...change,
  });
  const none = { found: false, status: null, blockNumber: null, blockHash: null, hashAtHeight: null };
  t.is(judge(evidence(), expected).state, 'creditable');
  t.is(judge(evidence({ pool: null }), expected).state, 'creditable');
  const strict = { ...expected, minConfirmations: 21 };
  t.is(judge(evidence(), strict).state, 'confirming', 'the request requires more than 20 confirmations');
  t.is(judge(evidence({ writer: seen({ latest: 121 }), pool: null }), strict).state, 'creditable');
  t.is(
    judge(evidence({ pool: { ...seen(), ...none, source: 'unavailable', latest: null } }), expected).state,
    'unavailable',
    'C16: a source that is silent keeps the verdict waiting',
  );
  const writerSilent = evidence({ writer: { ...seen(), ...none, source: 'unavailable', latest: null } });
  t.like(judge(writerSilent, expected), { verdict: 'wait', state: 'unavailable' });
  const unsigned = evidence({ chainId: undefined, isChainIdKnown: false });
  t.like(judge(unsigned, expected), { verdict: 'wait', state: 'unavailable' }, 'C16: no chain id was read');
  t.is(judge(evidence({ chainId: undefined }), expected).state, 'creditable', 'signed before EIP-155');
  t.is(judge(evidence({ index: seen({ hashAtHeight: null }) }), expected).verdict, 'wait', 'a doubted block');
  const self = { from: '0xto', to: '0xto', value: 5n };
  t.is(judge(evidence({ transfer: self }), expected).state, 'mismatch', 'A4: a self transfer moves nothing');
  const withoutReceipt = { ...seen(), ...none };
  t.is(
    judge(evidence({ writer: { ...withoutReceipt, hashAtHeight: hash } }), expected).state,
    'creditable',
    'a receipt of the pool is enough if the writer has the same block',
  );
  t.is(judge(evidence({ writer: withoutReceipt }), expected).state, 'disagreement', 'the writer lacks the block');
  for (const latest of [99, 119])
    for (const node of ['writer', 'pool']) {
      const behind = latest < 100 ? { ...withoutReceipt, latest } : seen({ latest });
      t.is(judge(evidence({ [node]: behind }), expected).state, 'confirming', `${node} is only at block ${latest}`);
    }
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
  t.is(judge(evidence({ isSameTransfer: false }), expected).state, 'disagreement', 'the node has another value');
  const failed = seen({ status: 0 });
  t.is(judge(evidence({ writer: failed, pool: failed, index: failed }), expected).verdict, 'reject');
  const alone = { writer: failed, pool: { ...seen(), ...none, source: 'unavailable' as const, latest: null } };
  t.is(judge(evidence({ ...alone, index: { ...seen(), ...none } }), expected).verdict, 'wait', 'one node alone');
  const dead = { ...none, source: 'unavailable' as const, latest: null };
  t.is(judge(evidence({ writer: dead, pool: dead }), expected).state, 'unavailable');
  const onlyIndex = { isChainIdKnown: false, chainId: undefined, transfer: { from: '0xa', to: '0xother', value: 0n } };
  t.is(judge(evidence({ ...onlyIndex, writer: dead, pool: dead }), expected).verdict, 'wait', 'the index alone');
  t.is(judge(evidence(onlyIndex), expected).verdict, 'wait', 'no node returned the transaction');
});
