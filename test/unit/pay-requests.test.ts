import { rm, writeFile } from 'node:fs/promises';
import test from 'ava';
import { payRequests } from '#commands/pay-requests.ts';
import { type Log, silentLog } from '#runtime/log.ts';
import { scratchFolder } from '#test/helpers/processes.ts';

let dir: string;

test.before(async () => {
  dir = await scratchFolder('cordscan-requests');
});

test.after.always(() => rm(dir, { recursive: true, force: true }));

test('lines of a replaced file of withdrawals are read', async (t) => {
  const [path, ids] = [`${dir}/replaced`, [] as string[]];
  const sender = { request: async (id: string) => void ids.push(id), step: async () => false };
  const step = payRequests(sender, path, silentLog);
  const line = (id: string) => `${id} 0x${'a2'.repeat(20)} 1\n`;
  await writeFile(path, line('1') + line('2'));
  await step();
  await writeFile(path, `${line('1')}${line('2')}${line('3')}4 0x`);
  await step();
  await writeFile(path, line('5') + line('6') + line('7'));
  await step();
  t.deepEqual(ids, ['1', '2', '3', '5', '6', '7']);
});

test.serial('a last line without an end is not paid, and becomes an error once', async (t) => {
  const [path, ids, errors] = [`${dir}/cut`, [] as string[], [] as object[]];
  const sender = { request: async (id: string) => void ids.push(id), step: async () => false };
  const step = payRequests(sender, path, {
    ...silentLog,
    error: (entry: object) => errors.push(entry),
  } as unknown as Log);
  const line = `1 0x${'a2'.repeat(20)} 5`;
  await writeFile(path, line);
  const { now } = performance;
  t.teardown(() => Object.assign(performance, { now }));
  for (let round = 0; round < 3; round++) {
    Object.assign(performance, { now: () => now.call(performance) + round * 11_000 });
    await step();
  }
  t.deepEqual([ids, errors], [[], [{ event: 'request_incomplete', line }]]);
  await writeFile(path, `${line}\n`);
  await step();
  t.deepEqual(ids, ['1']);
});

test('signed withdrawals are followed while the file is away, and lines with more fields pay nothing', async (t) => {
  const [path, ids] = [`${dir}/away`, [] as string[]];
  let steps = 0;
  const sender = { request: async (id: string) => void ids.push(id), step: async () => ++steps > 0 };
  const step = payRequests(sender, path, silentLog);
  await t.throwsAsync(step(), { code: 'ENOENT' });
  t.is(steps, 1);
  await writeFile(path, `1 0x${'a2'.repeat(20)} 1 000 000\n2 0x${'a2'.repeat(20)} 5\n`);
  await step();
  t.deepEqual([ids, steps], [['2'], 2]);
});
