import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import pg from 'pg';
import { type Addition, Cordscan } from '#client/index.ts';
import { keepFollowing } from '#commands/mirror.ts';
import { ClickHouseTarget } from '#mirror/clickhouse-target.ts';
import { compareWithService, followChain } from '#mirror/follow.ts';
import { ParquetTarget } from '#mirror/parquet-target.ts';
import { PostgresTarget } from '#mirror/postgres-target.ts';
import { getBlock, getGeneration, type Target } from '#mirror/target.ts';
import { ChainStateStore } from '#pipeline/store/chain-state-store.ts';
import { silentLog } from '#runtime/log.ts';
import { Database } from '#sql/client.ts';
import { resolveStatement } from '#sql/compile/calls.ts';
import { withRepair } from '#sql/snapshot.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { type RunningPostgres, startPostgres } from '#test/helpers/postgres.ts';
import { scratchFolder, waitFor } from '#test/helpers/processes.ts';
import { headReader } from '#test/helpers/service.ts';

let indexed: IndexedChain;
let dir: string;
let postgres: RunningPostgres;

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 120, seed: 41 });
  dir = await scratchFolder('cordscan-mirror');
  postgres = await startPostgres();
});

test.after.always(async () => {
  await postgres?.stop();
  await indexed?.stop();
  if (dir) await rm(dir, { recursive: true, force: true });
});

const targets: Readonly<Record<string, (name: string) => Promise<Target>>> = {
  parquet: (name) => ParquetTarget.open(join(dir, name), name === 'a' ? { rows: 200, blocks: 20 } : undefined),
  clickhouse: async (name) => {
    const { url } = indexed.pipeline.deps.database.options;
    const admin = new Database({ url, database: 'default', log: silentLog, waitMs: 10_000 });
    await admin.command(`CREATE DATABASE IF NOT EXISTS mirror_${name}`);
    await admin.close();
    return ClickHouseTarget.open(new Database({ url, database: `mirror_${name}`, log: silentLog, waitMs: 10_000 }));
  },
  postgres: (name) => PostgresTarget.open(`${postgres.url}&schema=${name}`),
};

const cordscan = () => new Cordscan(indexed.api.origin);

async function follow(target: Target, signal = new AbortController().signal): Promise<void> {
  await followChain(cordscan(), target, { follows: false, signal, onChange: () => undefined });
}

async function expected(): Promise<string> {
  const { number, hash } = await indexed.chain.rpc.call<{ number: string; hash: string }>('eth_getBlockByNumber', [
    'latest',
    false,
  ]);
  return `${Number(number)}-${hash}`;
}

/** Number and hash of the last block of a copy. */
async function readPlace(target: Target): Promise<string | undefined> {
  return getBlock(await target.position());
}

/** Returns the sums of the complete chain, including unfinalized blocks, from a new copy. */
async function wholeSums(name: string): Promise<unknown> {
  const fresh = await targets['parquet']!(`fresh-${name}-${Date.now()}`);
  await follow(fresh);
  return fresh.sum(Number.MAX_SAFE_INTEGER);
}

for (const [name, open] of Object.entries(targets)) {
  test.serial(`${name}: a copy equals the chain, through reorgs, restarts and interrupted writes`, async (t) => {
    let target = await open('a');
    await follow(target);
    t.is(await readPlace(target), await expected());
    t.deepEqual((await compareWithService(cordscan(), target)).differing, []);
    t.deepEqual(await target.sum(Number.MAX_SAFE_INTEGER), await wholeSums(name));
    for (const depth of [3, 9]) {
      await indexed.chain.reorg(depth);
      await indexed.chain.mineLive(2);
      await indexed.pipeline.caughtUp(headReader(indexed.chain));
      await target.close();
      target = await open('a');
      await follow(target);
      t.is(await readPlace(target), await expected());
      t.deepEqual(await target.sum(Number.MAX_SAFE_INTEGER), await wholeSums(name));
    }
    await target.close();

    // like a kill after some of the tables were written
    const cut = await open('b');
    const broken = new Proxy(cut, {
      get(own, property) {
        const value = Reflect.get(own, property);
        if (property !== 'add') return typeof value === 'function' ? value.bind(own) : value;
        return async (range: Parameters<Target['add']>[0]) => {
          if (range.fromBlock <= 100) return own.add(range);
          const rows = new Proxy(range.rows, {
            get: (all, kind) => {
              if (kind === 'logs') throw new Error('killed');
              return Reflect.get(all, kind);
            },
          });
          return own.add({ ...range, rows });
        };
      },
    });
    await t.throwsAsync(() => follow(broken), { message: 'killed' });
    await cut.close();
    const restarted = await open('b');
    await follow(restarted);
    t.is(await readPlace(restarted), await expected());
    t.deepEqual(await restarted.sum(Number.MAX_SAFE_INTEGER), await wholeSums(name));
    await restarted.close();
  });
}

test.serial('a copy follows the head, and a changed row is found', async (t) => {
  const target = await targets['parquet']!('followed');
  const end = new AbortController();
  const options = { follows: true, signal: end.signal, onChange: () => undefined };
  const running = followChain(cordscan(), target, options).catch((error: unknown) => error);
  const isAtHead = async () => (await readPlace(target)) === (await expected());
  await waitFor(isAtHead, 30_000, 'the copy is complete');
  await indexed.chain.mineLive(1);
  await waitFor(isAtHead, 10_000, 'the copy has the new block');
  end.abort();
  await running;
  for (const file of await readdir(join(dir, 'followed', 'recent'))) {
    const path = join(dir, 'followed', 'recent', file);
    await writeFile(path, (await readFile(path, 'utf8')).replace('"status":1', '"status":0'));
  }
  const changed = await ParquetTarget.open(join(dir, 'followed'));
  t.deepEqual((await compareWithService(cordscan(), changed)).differing, ['transactions']);
});

test.serial('a copy goes on after its database was restarted', async (t) => {
  const opened: Target[] = [];
  const open = async () => {
    const target = await targets['postgres']!('restarted');
    opened.push(target);
    return target;
  };
  const end = new AbortController();
  const running = keepFollowing(cordscan(), open, { follows: true, signal: end.signal, log: silentLog });
  const isAtHead = async () => {
    const last = opened.at(-1);
    const place = last && (await readPlace(last).catch(() => undefined)); // this server accepts only one connection
    return place === (await expected());
  };
  await waitFor(isAtHead, 30_000, 'the copy is complete');
  await postgres.server.stop();
  await indexed.chain.mineLive(2);
  await indexed.pipeline.caughtUp(headReader(indexed.chain));
  await postgres.server.start();
  await waitFor(isAtHead, 30_000, 'the copy has the new blocks');
  end.abort();
  await running;
  t.true(opened.length > 1);
});

test.serial('rows that do not match their digests are refused', async (t) => {
  const falsified: typeof fetch = async (input, init) => {
    const reply = await fetch(input, init);
    const body = (await reply.text()).replace('"status":1', '"status":0');
    return new Response(body, { status: reply.status, headers: reply.headers });
  };
  const target = await targets['parquet']!('falsified');
  const options = { follows: false, signal: new AbortController().signal, onChange: () => undefined };
  const client = new Cordscan(indexed.api.origin, { fetch: falsified });
  await t.throwsAsync(() => followChain(client, target, options), { message: /digest/ });
});

test.serial('a directory with other files is refused, and a mirror keeps files of other programs', async (t) => {
  const [foreign, own] = [join(dir, 'foreign'), join(dir, 'own')];
  await mkdir(join(foreign, 'logs'), { recursive: true });
  await writeFile(join(foreign, 'logs', 'app.log'), 'important');
  await t.throwsAsync(ParquetTarget.open(foreign), { message: /has files, but no copy of the chain/ });
  t.is(await readFile(join(foreign, 'logs', 'app.log'), 'utf8'), 'important');
  await ParquetTarget.open(own);
  await writeFile(join(own, '.lock'), `${process.ppid} ${hostname()}`);
  await t.throwsAsync(ParquetTarget.open(own), { message: /process \d+ writes into/ }, 'another process writes');
  await writeFile(join(own, '.lock'), `${2 ** 30} ${hostname()}`);
  const copy = await ParquetTarget.open(own);
  await copy.close();
  const left = join(own, 'logs', '000000000000-000000000009.parquet');
  await writeFile(left, 'of a process that is still writing');
  await writeFile(join(own, 'logs', 'note.txt'), 'of somebody else');
  await ParquetTarget.open(own, undefined, false);
  t.deepEqual((await readdir(join(own, 'logs'))).sort(), ['000000000000-000000000009.parquet', 'note.txt']);
  await ParquetTarget.open(own);
  t.deepEqual(await readdir(join(own, 'logs')), ['note.txt'], 'only unfinished files are deleted');
});

test.serial('tables of another program are refused, and stay as they are', async (t) => {
  const { url } = indexed.pipeline.deps.database.options;
  const database = new Database({ url, database: 'mirror_foreign', log: silentLog, waitMs: 10_000 });
  t.teardown(() => database.close());
  await indexed.pipeline.deps.database.command('CREATE DATABASE mirror_foreign');
  await database.command('CREATE TABLE logs (blockNumber UInt64) ENGINE = MergeTree ORDER BY blockNumber');
  await database.command('INSERT INTO logs VALUES (7)');
  await t.throwsAsync(targets['clickhouse']!('foreign'), {
    message: /database mirror_foreign has the table logs, but no copy/,
  });
  const statement = { ...resolveStatement('chain_state'), sql: 'SELECT blockNumber FROM mirror_foreign.logs' };
  t.deepEqual(await indexed.pipeline.deps.database.read(statement), [{ blockNumber: '7' }]);
  const tables = "SELECT name FROM system.tables WHERE database = 'mirror_foreign'";
  t.is((await indexed.pipeline.deps.database.read({ ...statement, sql: tables })).length, 1);
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('CREATE SCHEMA foreign_rows');
  await client.query('CREATE TABLE foreign_rows.commits (hash text)');
  await client.end();
  await t.throwsAsync(targets['postgres']!('foreign_rows'), {
    message: /schema foreign_rows has the table commits, but no copy/,
  });
});

for (const name of ['clickhouse', 'postgres'])
  test.serial(`${name}: a range that another process has stored is not stored twice`, async (t) => {
    const target = await targets[name]!('twice');
    const ranges: Addition[] = [];
    for await (const change of cordscan().changes({ follows: false })) if (change.type === 'added') ranges.push(change);
    t.true(ranges.length > 2);
    for (const range of ranges) {
      await target.add(range);
      await t.throwsAsync(target.add(range), { message: /the copy ends at block \d+, not before block/ });
    }
    t.deepEqual(await target.sum(Number.MAX_SAFE_INTEGER), await wholeSums(name));
    await target.close();
  });

for (const [form, change] of Object.entries({
  'a block that is a path': { toBlock: '/../../../app/package' },
  'a block that is SQL': { fromBlock: '0 OR 1' },
  'a hash that is a path': { hash: '../../x' },
}))
  test.serial(`a change with ${form} is refused`, async (t) => {
    const hostile: typeof fetch = async (input, init) => {
      const lines = (await (await fetch(input, init)).text()).split('\n').filter(Boolean);
      const commit = JSON.parse(lines.findLast((line) => line.includes('"type":"commit"'))!);
      return new Response(`${JSON.stringify({ ...commit, ...change })}\n`);
    };
    const client = new Cordscan(indexed.api.origin, { fetch: hostile });
    await t.throwsAsync(async () => client.changes({ follows: false }).next(), {
      name: 'ExportError',
      message: /a change of an unknown form/,
    });
  });

// last, because the pipeline does not know the state that this test publishes
test.serial('blocks whose rows a repair corrected are copied again', async (t) => {
  const target = await targets['parquet']!('repaired');
  await follow(target);
  for (const file of await readdir(join(dir, 'repaired', 'recent'))) {
    const path = join(dir, 'repaired', 'recent', file);
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll('"status":1', '"status":0'));
  }
  const wrong = await ParquetTarget.open(join(dir, 'repaired'));
  await follow(wrong);
  t.deepEqual((await compareWithService(cordscan(), wrong)).differing, ['transactions']);
  const store = new ChainStateStore(indexed.pipeline.deps);
  await store.load();
  await store.publish((state) => ({ reorgGeneration: state.reorgGeneration + 1, repairs: withRepair(state, 1) }));
  const { reorgGeneration } = (await indexed.pipeline.state())!;
  const isRepaired = async () => {
    await follow(wrong);
    return getGeneration((await wrong.position())!) === reorgGeneration;
  };
  await waitFor(isRepaired, 10_000, 'the API has read the state with the repair');
  t.deepEqual((await compareWithService(cordscan(), wrong)).differing, []);
  t.is(await readPlace(wrong), await expected());
});
