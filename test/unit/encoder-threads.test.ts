import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import test from 'ava';
import { normaliseBlock } from '#chain/rpc/normalise-block.ts';
import type { BlockBundle } from '#chain/rpc/wire-types.ts';
import type { EncodeTask } from '#pipeline/encode/encode-reply.ts';
import { createEncoder, ownThread } from '#pipeline/encode/encoder-threads.ts';
import { RangeRows } from '#pipeline/encode/range-rows.ts';
import { silentLog } from '#runtime/log.ts';

const threads = createEncoder(2, { log: silentLog, batchesBefore: 0 });
test.after.always(() => threads.close());

const bundles = gunzipSync(readFileSync(join(import.meta.dirname, '../fixtures/chaindata/hivechain-54.ndjson.gz')))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as BlockBundle);
const fromBlock = Number(bundles[0]!.block.number);

/** @param change changes the results of a reply, two per block */
function makeTask(change: (results: unknown[]) => void = () => {}, text?: string): EncodeTask {
  const results: unknown[] = structuredClone(bundles.flatMap(({ block, receipts }) => [block, receipts]));
  change(results);
  const body = text ?? JSON.stringify(results.map((result, id) => ({ jsonrpc: '2.0', id, result })));
  return {
    ...{ body: new TextEncoder().encode(body), ids: results.map((_, id) => id) },
    ...{ fromBlock, verify: 'links', keepsLines: true },
  };
}

test('threads return the bytes that the own thread returns, from which the same range is made', async (t) => {
  const [own, ...others] = await Promise.all([
    ownThread.encode(makeTask()),
    ...Array.from({ length: 5 }, () => threads.encode(makeTask())),
  ]);
  for (const other of others) t.true(isDeepStrictEqual(other, own));
  if ('failure' in own || 'invalid' in own.results) return t.fail();
  const { range, lines } = own.results;
  t.is(lines.length, bundles.length);
  t.deepEqual(JSON.parse(lines[3]!)[0].hash, bundles[3]!.block.hash);
  const [first, second] = [RangeRows.fromMessage(range), new RangeRows(1)];
  for (const { block, receipts } of structuredClone(bundles))
    second.add({ block, receipts: normaliseBlock(block, receipts) as BlockBundle['receipts'] });
  t.deepEqual(first.summary, second.summary);
  t.true(first.writers.transactions.view().equals(second.writers.transactions.view()));
  t.is(first.rows, second.rows);
});

test('threads return what is wrong with a reply', async (t) => {
  const wrongs: [EncodeTask, unknown][] = [
    [makeTask((results) => results.splice(4, 1, null)), { results: { invalid: { violation: 'null_block' } } }],
    [makeTask((results) => results.splice(5, 1, undefined)), { failure: { kind: 'empty', request: 5 } }],
    [makeTask(undefined, '<html>'), { failure: { kind: 'not_json', text: '<html>' } }],
    [makeTask(undefined, '\ufeff[]'), { failure: { kind: 'missing', request: 0 } }],
    [makeTask(undefined, '[]'), { failure: { kind: 'missing', request: 0 } }],
    [makeTask(undefined, '{}'), { failure: { kind: 'not_array' } }],
    [
      makeTask(undefined, '{"error":{"code":-32601,"message":"no"}}'),
      { failure: { kind: 'error', request: 0, error: { code: -32601, message: 'no' } } },
    ],
  ];
  for (const [task, wanted] of wrongs) t.like(await threads.encode(task), wanted as object);
});

test('after an error of a thread, the own thread encodes', async (t) => {
  const one = createEncoder(1, { log: silentLog, batchesBefore: 0 });
  await t.throwsAsync(one.encode({ ...makeTask(), ids: undefined as never }));
  t.true('results' in (await one.encode(makeTask())));
  await one.close();
});
