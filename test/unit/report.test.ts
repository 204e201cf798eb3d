import test from 'ava';
import { pipelineAlerts } from '#api/routes/status/pipeline-state.ts';
import { TransportError } from '#chain/errors.ts';
import { refreshTokenMetadata } from '#pipeline/jobs/token-metadata.ts';
import { PipelineReport } from '#pipeline/report.ts';
import { silentLog } from '#runtime/log.ts';

test('work that fails three times in a row is reported until it succeeds', (t) => {
  let now = 1_000;
  const report = new PipelineReport(() => now);
  report.noteRun('audit', new Error('first'));
  now = 2_000;
  report.noteRun('audit', new Error('second'));
  t.deepEqual(report.state.jobFaults, []);
  report.noteRun('audit', new Error('third'));
  t.deepEqual(report.state.jobFaults, [{ job: 'audit', fault: 'Error: third', sinceMs: 1_000 }]);
  report.noteRun('audit');
  t.deepEqual(report.state.jobFaults, []);
});

test('the job that reads tokens fails if no token could be asked: wallet events would wait without a reason', async (t) => {
  const tokens = ['1', '2'].map((digit) => ({ address: `0x${digit.repeat(40)}`, standard: 'erc20', first_block: '1' }));
  const rows: unknown[] = [];
  const database = {
    read: async () => tokens,
    insertRowBinary: async (_: string, row: unknown) => void rows.push(row),
  };
  const silent = new Set(['1', '2']);
  const call = async (_: string, [{ to }]: [{ to: string }]) => {
    if (silent.has(to[2]!)) throw new TransportError('throttled', 'no calls in this plan');
    return '0x';
  };
  const deps = { database, client: { call }, log: silentLog, signal: new AbortController().signal };
  const refresh = () => refreshTokenMetadata(deps as never, { state: { head: 9 } } as never);
  await t.throwsAsync(refresh, { message: /no calls in this plan/ });
  t.is(rows.length, 0);
  silent.delete('2');
  t.is(await refresh(), 2);
  t.is(rows.length, 1, 'the other token is stored');
});

test('pipelines that run side by side are no restart loop', (t) => {
  const running = { running: true, phase: 'following', jobFaults: [], contradictions: [] };
  const alerts = (starts: number, ends: number) => pipelineAlerts({ ...running, starts, ends } as never);
  t.deepEqual(alerts(5, 0), []);
  t.deepEqual(alerts(4, 2), []);
  t.deepEqual(alerts(4, 3), ['the pipeline started 4 times in ten minutes']);
  t.deepEqual(alerts(3, 3), [], 'they were stopped, and none was started since');
});
