import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';
import test from 'ava';
import { lock, unlock } from '#runtime/lock-file.ts';
import { machine } from '#runtime/machine.ts';
import { scratchFolder, waitFor } from '#test/helpers/processes.ts';

const { host, bootId, pidNamespace } = machine;
/** Process ids: one that no process has, and one of another process. */
const [dead, living] = [2 ** 30, process.ppid];
const other = { boot: randomUUID(), namespace: 'pid:[1]', host: 'another-host' };

/** Other systems have no boot id and process namespace. */
const onLinux = bootId === '' ? test.serial.skip : test.serial;

let dir: string;

test.beforeEach(async () => {
  dir = await scratchFolder('cordscan-lock');
});
test.afterEach.always(() => rm(dir, { recursive: true, force: true }));

interface Owner {
  readonly pid?: number;
  readonly host?: string;
  readonly boot?: string;
  readonly namespace?: string;
  /** Time since the last heartbeat, s. */
  readonly silence?: number;
}

async function leaveText(text: string, silence = 0): Promise<void> {
  await writeFile(join(dir, '.lock'), text);
  const at = new Date(Date.now() - 1_000 * silence);
  await utimes(join(dir, '.lock'), at, at);
}

/** Writes the lock of a process on this machine or on another. */
const leave = ({ pid = living, silence = 0, boot = bootId, namespace = pidNamespace, ...more }: Owner) =>
  leaveText([pid, more.host ?? host, boot, namespace, randomUUID()].join(' '), silence);

test.serial('a living process of this machine keeps its lock, a dead one does not', async (t) => {
  const message = /^process \d+ writes into \S+: stop it first\. If it does not run there, delete \S+$/;
  await leave({ silence: 3_600 });
  await t.throwsAsync(lock(dir), { message }, 'it may be stopped by a signal');
  await leave({ host: 'renamed-host' });
  await t.throwsAsync(lock(dir), { message });
  for (const pid of [dead, process.pid]) {
    await leave({ pid });
    await lock(dir);
    t.true((await readFile(join(dir, '.lock'), 'utf8')).startsWith(`${process.pid} ${host} `));
    await unlock(dir);
  }
  t.deepEqual(await readdir(dir), []);
});

onLinux('a process of another container or machine keeps its lock until it is silent', async (t) => {
  const message = /^process \d+ of host \S+ writes into \S+: stop it first/;
  const owners: Owner[] = [
    { host: other.host, namespace: other.namespace },
    { pid: process.pid, namespace: other.namespace },
    { pid: dead, namespace: other.namespace },
    { host: other.host, boot: other.boot },
    { host: other.host, boot: '', namespace: '' },
    { boot: '', namespace: '' },
    { boot: other.boot },
  ];
  for (const owner of owners) {
    await leave({ ...owner, silence: 50 });
    const refused = t.throwsAsync(lock(dir), { message }, JSON.stringify(owner));
    const beating = setInterval(() => void utimes(join(dir, '.lock'), new Date(), new Date()), 100);
    await refused;
    clearInterval(beating);
    await leave({ ...owner, silence: 70 });
    await lock(dir);
    await unlock(dir);
  }
});

onLinux('the lock of a killed process of another container is awaited and taken', async (t) => {
  await leave({ pid: process.pid, namespace: other.namespace, silence: 57 });
  const startedAt = performance.now();
  await lock(dir);
  t.true(performance.now() - startedAt > 500);
  t.regex(await readFile(join(dir, '.lock'), 'utf8'), new RegExp(`^${process.pid} ${host} ${bootId} `));
  await unlock(dir);
});

test.serial('a wait for a lock ends with its signal', async (t) => {
  await leave({ boot: other.boot, silence: -3_600 });
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 100);
  await t.throwsAsync(lock(dir, stop.signal), { message: /stopped while another process may hold the lock/ });
  t.deepEqual(await readdir(dir), ['.lock']);
});

test.serial('locks of earlier versions are understood', async (t) => {
  await leaveText(`${living} ${host}`, 3_600);
  await t.throwsAsync(lock(dir), { message: /^process \d+ writes into/ });
  for (const [text, silence] of [
    [`${dead} ${host}`, 0],
    [`1 ${other.host}`, 70],
  ] as const) {
    await leaveText(text, silence);
    await lock(dir);
    await unlock(dir);
  }
});

test.serial('only the own lock is removed, and it can be taken twice', async (t) => {
  await lock(dir);
  await lock(dir);
  const own = await readFile(join(dir, '.lock'), 'utf8');
  await leave({ pid: dead });
  const others = await readFile(join(dir, '.lock'), 'utf8');
  await unlock(dir);
  t.is(await readFile(join(dir, '.lock'), 'utf8'), others);
  await leaveText(own);
  await unlock(dir);
  t.deepEqual(await readdir(dir), []);
});

test.serial('a lock shows that its process runs, until it is removed', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
  const touchedAt = async () => (await stat(join(dir, '.lock'))).mtimeMs;
  const age = () => utimes(join(dir, '.lock'), new Date(0), new Date(0));
  await lock(dir);
  const own = await readFile(join(dir, '.lock'), 'utf8');
  await age();
  mock.timers.tick(10_000);
  await waitFor(async () => Date.now() - (await touchedAt()) < 60_000, 5_000, 'a heartbeat');
  await rm(join(dir, '.lock'));
  await leave({});
  const others = await readFile(join(dir, '.lock'), 'utf8');
  await age();
  mock.timers.tick(10_000);
  await new Promise((resolve) => setTimeout(resolve, 200));
  t.is(await readFile(join(dir, '.lock'), 'utf8'), others, 'a heartbeat does not change the lock of another process');
  t.is(await touchedAt(), 0);
  await unlock(dir);
  await leaveText(own);
  await age();
  mock.timers.tick(10_000);
  await new Promise((resolve) => setTimeout(resolve, 200));
  t.is(await touchedAt(), 0, 'no heartbeat after the end');
});

test.serial('a process that was killed while it removed a lock delays others for a minute', async (t) => {
  await leave({ pid: dead });
  const guard = join(dir, '.lock-takeover');
  await writeFile(guard, '');
  const at = new Date(Date.now() - 57_000);
  await utimes(guard, at, at);
  const startedAt = performance.now();
  await lock(dir);
  t.true(performance.now() - startedAt > 500);
  await unlock(dir);
  t.deepEqual(await readdir(dir), []);
});

/** Locks each directory at the same time as other processes, and prints which directories it locked. */
const racer = `
import { lock } from '#runtime/lock-file.ts';
const [dir, rounds] = process.argv.slice(1);
console.log('ready');
process.stdin.once('data', async (data) => {
  const got = [];
  for (let round = 0; round < Number(rounds); round++) {
    while (Date.now() < Number(data) + 20 * round);
    await lock(dir + '/' + round).then(() => got.push(round), (error) => {
      if (!/^process \\d+ writes into/.test(error.message)) throw error;
    });
  }
  console.log(JSON.stringify(got));
  process.stdin.once('data', () => process.exit(0));
});
`;

test.serial('of several processes that find a stale lock at once, one gets it', async (t) => {
  const [rounds, racers] = [60, 4];
  const root = dir;
  for (let round = 0; round < rounds; round++) {
    dir = join(root, String(round));
    await mkdir(dir);
    await leave({ pid: dead });
  }
  dir = root;
  const children = Array.from({ length: racers }, () => {
    const args = ['--import', 'tsx', '--input-type=module', '-e', racer, dir, String(rounds)];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const said = { text: '' };
    child.stdout.on('data', (data) => (said.text += String(data)));
    return { child, said };
  });
  t.teardown(() => children.forEach(({ child }) => void child.kill('SIGKILL')));
  const allSaid = (lines: number) => () => children.every(({ said }) => said.text.split('\n').length > lines);
  await waitFor(allSaid(1), 60_000, 'the processes start');
  const startAt = Date.now() + 100;
  for (const { child } of children) child.stdin.write(String(startAt));
  await waitFor(allSaid(2), 60_000, 'the processes have tried each lock');
  const got = children.flatMap(({ said }) => JSON.parse(said.text.split('\n')[1]!) as number[]);
  t.deepEqual(
    got.sort((a, b) => a - b),
    Array.from({ length: rounds }, (_, round) => round),
  );
});
