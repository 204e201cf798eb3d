import test from 'ava';
import fc from 'fast-check';
import { type ChainLog, SentChain } from '#edge/sent-chain.ts';

const head = (number: number, branch: string) => ({ number: `0x${number.toString(16)}`, hash: `${branch}${number}` });
const toLog = (number: number, branch: string, removed?: boolean): ChainLog => ({
  ...{ blockNumber: `0x${number.toString(16)}`, blockHash: `${branch}${number}`, logIndex: '0x0' },
  ...(removed ? { removed } : {}),
});

test('log of a replaced block is retracted after a lost connection, unless the node has retracted it', (t) => {
  for (const isRetracted of [false, true]) {
    const sent = new SentChain();
    sent.addHead(head(100, 'a'));
    sent.addHead(head(101, 'a'));
    t.true(sent.addLog(toLog(101, 'a')));
    sent.addHead(head(101, 'b'));
    if (isRetracted) t.true(sent.addLog(toLog(101, 'a', true)));
    t.deepEqual(sent.cutAbove(101), isRetracted ? [] : [toLog(101, 'a')]);
    t.false(sent.addLog(toLog(101, 'a', true)), 'retracted once');
    t.deepEqual(sent.cutAbove(101), []);
  }
});

test('logs of a block that only the writer had are retracted with the block after its replacement', (t) => {
  const sent = new SentChain();
  sent.addHead(head(100, 'a'));
  sent.addHead(head(101, 'a'));
  sent.addLog(toLog(101, 'a'));
  t.deepEqual(sent.takeReplaced(head(101, 'b')), []);
  sent.addHead(head(101, 'b'));
  t.deepEqual(sent.takeReplaced(head(102, 'b')), [toLog(101, 'a')]);
  t.deepEqual(sent.takeReplaced(head(103, 'b')), []);
  t.false(sent.addLog(toLog(101, 'a', true)), 'the node retracts them late');
});

test('a removal of a log that a client has read otherwise is forwarded once', (t) => {
  const sent = new SentChain();
  sent.addHead(head(100, 'a'));
  t.true(sent.addLog(toLog(99, 'a', true)), 'the block is older than the first subscription');
  t.false(sent.addLog(toLog(99, 'a', true)));
  t.true(sent.addLog(toLog(99, 'a')), 'the block is on the chain again');
  t.true(sent.addLog(toLog(99, 'a', true)));
});

test('blocks of a node that resumes far behind are not sent again', (t) => {
  const sent = new SentChain();
  for (let number = 1; number <= 400; number++) sent.addHead(head(number, 'a'));
  t.false(sent.addHead(head(100, 'a')));
  t.false(sent.addLog(toLog(100, 'a')));
  t.is(sent.newest, 400);
  t.true(sent.addHead(head(300, 'b')), 'a reorg of remembered blocks');
  t.is(sent.newest, 300);
});

test('client has the logs of the newest branch whatever is lost or repeated', (t) => {
  const step = fc.record({ depth: fc.nat(3), loses: fc.boolean(), repeats: fc.boolean(), cuts: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const sent = new SentChain();
      const client = new Set<string>();
      const take = (log: ChainLog) => {
        const isRemoved = log.removed === true;
        t.is(client.has(log.blockHash), isRemoved, `${log.blockHash} once`);
        if (isRemoved) client.delete(log.blockHash);
        else client.add(log.blockHash);
      };
      const offer = (log: ChainLog) => sent.addLog(log) && take(log);
      let chain = [{ number: 1, branch: 'x' }];
      sent.addHead(head(1, 'x'));
      for (const [i, { depth, loses, repeats, cuts }] of steps.entries()) {
        const kept = chain.slice(0, Math.max(1, chain.length - depth));
        const removed = chain.slice(kept.length);
        chain = kept;
        // the node may disconnect before it retracts the logs of removed blocks
        if (!loses) for (const { number, branch } of removed.toReversed()) offer(toLog(number, branch, true));
        for (let added = 0; added < removed.length + 1; added++) {
          const block = { number: chain.length + 1, branch: `${i}.` };
          chain.push(block);
          sent.addHead(head(block.number, block.branch));
          offer(toLog(block.number, block.branch));
          if (repeats) offer(toLog(block.number, block.branch));
        }
        if (loses || cuts) for (const log of sent.cutAbove(chain.length)) take({ ...log, removed: true });
        if (repeats) for (const { number, branch } of removed.toReversed()) offer(toLog(number, branch, true));
      }
      const expected = chain.slice(1).map(({ number, branch }) => `${branch}${number}`);
      t.deepEqual([...client].sort(), expected.sort());
    }),
  );
});
