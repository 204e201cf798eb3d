import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { minBytesPerSecond, ReaderPace } from '#api/read/export/places.ts';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';
import { waitFor } from '#test/helpers/processes.ts';
import { type RunningApi, startApi } from '#test/helpers/service.ts';

let indexed: IndexedChain;
let api: RunningApi;

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 30, seed: 37 });
  api = await startApi(indexed.pipeline.deps.database, [indexed.chain.rpc.url], false, {
    exportsAtOnce: 4,
    streamsAtOnce: { most: 10, perCaller: 3 },
  });
});

test.after.always(async () => {
  await api?.stop();
  await indexed?.stop();
});

const ask = (method = 'GET') => api.get('/api/v1/export/anchors?format=csv', { method });

const callers: Readonly<Record<string, string>> = { b: '198.51.100.1', d: '198.51.100.2' };

test.serial('caller gets at most half of the export slots, and a retry time when none is free', async (t) => {
  const take = (caller: string) => api.deps.exportSlots.take({ caller, address: callers[caller] ?? '192.0.2.1' });
  const first = [take('a'), take('a')];
  t.regex(t.throws(() => take('a'))!.message, /you have 2 exports open/);
  t.regex(t.throws(() => take('c'))!.message, /callers of your network have 2 exports open/);
  const others = [take('b'), take('b')];
  const refused = await ask();
  t.deepEqual(
    [refused.status, refused.body.code, refused.headers.get('retry-after')],
    [503, 'store_unavailable', '10'],
  );
  t.regex(refused.body.detail, /all 4 export slots are in use/);
  for (const giveBack of [...first, ...first]) giveBack();
  t.is((await ask()).status, 200);
  for (const giveBack of others) giveBack();
});

test.serial('export slot is released however the export ends', async (t) => {
  const take = (caller: string) => api.deps.exportSlots.take({ caller, address: callers[caller] ?? '192.0.2.1' });
  for (let i = 0; i < 6; i++) {
    t.is((await ask('HEAD')).status, 200);
    const left = new AbortController();
    const reply = await fetch(`${api.origin}/api/v1/export/logs`, { signal: left.signal });
    left.abort();
    t.is(reply.status, 200);
    t.is((await api.get('/api/v1/export/anchors?fromBlock=9&toBlock=1')).status, 400);
    t.is((await ask()).status, 200);
  }
  await waitFor(
    () => {
      const taken = ['c', 'c', 'd', 'd'].flatMap((caller) => {
        try {
          return [take(caller)];
        } catch {
          return [];
        }
      });
      for (const giveBack of taken) giveBack();
      return taken.length === 4;
    },
    5_000,
    'all places are free again',
  );
});

test.serial('caller’s event streams are limited, and disconnecting frees a slot', async (t) => {
  const open = async () => {
    const left = new AbortController();
    const reply = await fetch(`${api.origin}/api/v1/stream/heads`, { signal: left.signal });
    return { status: reply.status, text: reply.status === 200 ? '' : await reply.text(), leave: () => left.abort() };
  };
  const first = [await open(), await open(), await open()];
  t.deepEqual(
    first.map(({ status }) => status),
    [200, 200, 200],
  );
  const over = await open();
  t.is(over.status, 429);
  t.regex(over.text, /limit of 3 open streams per caller reached/);
  first[0]!.leave();
  await waitFor(
    async () => {
      const again = await open();
      again.leave();
      return again.status === 200;
    },
    5_000,
    'a place is free',
  );
  for (const { leave } of first) leave();
});

/** Returns whether a reader that pauses between chunks receives the complete export. */
async function isServed(chunkBytes: number, pauseMs: number, periodMs: number): Promise<boolean> {
  const pace = new ReaderPace(periodMs);
  async function* chunks() {
    for (let i = 0; i < 12; i++) {
      pace.offer();
      yield Buffer.alloc(chunkBytes);
      pace.took(chunkBytes);
    }
  }
  const body = Readable.from(chunks(), { objectMode: false, highWaterMark: 1 });
  pace.watch(body);
  try {
    for await (const _ of body) await sleep(pauseMs);
    return true;
  } catch {
    return false;
  }
}

test('export cuts off a trickling reader, but not a slow steady one or one whose rows arrive slowly', async (t) => {
  const periodMs = 200;
  const least = (minBytesPerSecond * periodMs) / 1000;
  t.false(await isServed(least / 10, 100, periodMs));
  t.true(await isServed(3 * least, 100, periodMs));
  const pace = new ReaderPace(periodMs);
  async function* late() {
    for (let i = 0; i < 3; i++) {
      await sleep(1.5 * periodMs);
      pace.offer();
      yield Buffer.alloc(10);
      pace.took(10);
    }
  }
  const body = Readable.from(late(), { objectMode: false });
  pace.watch(body);
  let bytes = 0;
  for await (const chunk of body) bytes += chunk.length;
  t.is(bytes, 30);
});
