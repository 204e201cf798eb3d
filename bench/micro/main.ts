/**
 * Measures how long decoding, checking and encoding blocks takes, without network and database, on a recorded chain:
 * `npm run bench -- micro`.
 */
import { bench, run } from 'mitata';
import type { BlockBundle } from '#chain/rpc/wire-types.ts';
import { checkBundle } from '#chain/verify/check-bundle.ts';
import { verifyBundle } from '#chain/verify/verify-bundle.ts';
import { encodeRange } from '#pipeline/encode/range-rows.ts';
import { freePort } from '#test/helpers/processes.ts';
import { report } from '../measure/report.ts';
import { recordedChain } from '../replay/record.ts';

const chain = (await recordedChain(2500, await freePort())).slice(1000, 1200);
const texts = chain.map(({ block, receipts }) => `[${block},${receipts}]`);
const bundles: BlockBundle[] = texts.map((text) => {
  const [block, receipts] = JSON.parse(text);
  return { block, receipts };
});
const transactions = bundles.reduce((sum, { receipts }) => sum + receipts.length, 0);
report('transactions of 200 blocks', 'count', transactions);
report('JSON of 200 blocks', 'MB', texts.join('').length / 1e6);
bench('JSON.parse', () => texts.map((text) => JSON.parse(text)));
bench('check', () => bundles.map(({ block, receipts }) => checkBundle(Number(block.number), block, receipts)));
bench('encode into RowBinary', () => encodeRange(bundles, 1));
bench('verify block hashes', () => bundles.map((bundle) => verifyBundle(bundle, 'hash')));
bench('verify all roots and senders', () => bundles.map((bundle) => verifyBundle(bundle, 'roots')));
const { benchmarks } = await run({ format: 'quiet' });
for (const { alias, runs } of benchmarks) {
  const samples = runs.flatMap(({ stats }) => stats?.samples ?? []);
  report(
    alias,
    'ms',
    samples.map((nanoseconds) => nanoseconds / 1e6),
  );
}
