import test from 'ava';
import fc from 'fast-check';
import { anywhere, Cache, cacheFigures, idleCaches } from '#api/cache/cache.ts';
import { caches } from '#api/cache/caches.ts';
import { type RenderedReply, ReplyCache } from '#api/cache/reply-cache.ts';
import { roughBytes } from '#api/cache/rough-bytes.ts';

const state = { version: 1, head: 9, headHash: '0xa', reorgGeneration: 1, rollupThrough: 0 };

test('value is computed once in its scope for all callers, and again when its inputs change', async (t) => {
  const changes = {
    snapshot: [{ version: 2 }, { head: 8 }, { headHash: '0xb' }],
    generation: [{ reorgGeneration: 2 }, { rollupThrough: 10 }],
    window: [{ reorgGeneration: 2 }],
    time: [],
  };
  for (const name of ['totals', 'older_accounts', 'open_from', 'traces'] as const) {
    let made = 0;
    const cache = new Cache<number>(name);
    const ask = (place: object = state) => cache.of('key', place, async () => ++made);
    t.deepEqual(await Promise.all([ask(), ask(), ask()]), [1, 1, 1]);
    const { scope } = caches[name];
    const all = [{ version: 2 }, { head: 8 }, { headHash: '0xb' }, { reorgGeneration: 2 }, { rollupThrough: 10 }];
    for (const change of all) {
      const before = made;
      await ask({ ...state, ...change });
      const isOther = changes[scope].some((each) => JSON.stringify(each) === JSON.stringify(change));
      t.is(made, before + Number(isOther), `${scope} ${JSON.stringify(change)}`);
    }
    t.is(await ask(), 1, 'the first one is there still');
    t.is(await cache.of('other', state, async () => 77), 77);
  }
});

test('failure reaches all waiting callers and is not cached, and a pending value does not count as cached', async (t) => {
  const cache = new Cache<string>('accounts');
  const fail = () => cache.of('a', anywhere, () => Promise.reject(new Error('away')));
  const [one, other] = await Promise.allSettled([fail(), fail()]);
  t.deepEqual([one?.status, other?.status], ['rejected', 'rejected']);
  let finish = (_: string) => {};
  const making = cache.of('a', anywhere, () => new Promise<string>((resolve) => (finish = resolve)));
  t.is(cache.get('a', anywhere), undefined);
  cache.set('a', anywhere, 'set meanwhile');
  finish('late');
  t.is(await making, 'late');
  t.is(cache.take('a', anywhere), 'set meanwhile');
  t.is(cache.get('a', anywhere), undefined);
});

test('concurrent calls share a reply and its errors, but not an error that concerns only one call', async (t) => {
  const replies = new ReplyCache();
  const reply = { text: '{}', contentType: 'application/json', headers: {}, etag: 'e' };
  const isPersonal = (error: unknown) => String(error).includes('rate limit');
  const settle = async (...makes: (() => Promise<RenderedReply>)[]) => {
    const all = makes.map((make) => replies.shared('a', state, make, isPersonal));
    return (await Promise.allSettled(all)).map(({ status }) => status);
  };
  let made = 0;
  const make = async () => ({ ...reply, text: String(made++) });
  t.deepEqual(await settle(make, make, make), ['fulfilled', 'fulfilled', 'fulfilled']);
  t.is(made, 1);
  const fail = (message: string) => () => Promise.reject(new Error(message));
  t.deepEqual(await settle(fail('the database is away'), make), ['rejected', 'rejected']);
  t.deepEqual(await settle(fail('over its rate limit'), make), ['rejected', 'fulfilled']);
});

test('cache stays within its bound and holds the newest value unless it exceeds the bound', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(400_000), { maxLength: 40 }), async (lengths) => {
      const cache = new Cache<string>('totals'); // 1 MiB
      for (const [i, length] of lengths.entries()) {
        const value = 'x'.repeat(3 * length);
        await cache.of(String(i), state, async () => value);
        if (cache.bytes > 1 << 20) return false;
        if (value.length < 1_000_000 && cache.get(String(i), state) !== value) return false;
      }
      return true;
    }),
    { numRuns: 60 },
  );
  t.pass();
});

test('sizes are estimated from the form of a value, long lists by samples', (t) => {
  t.true(roughBytes('x'.repeat(1_000)) >= 1_000);
  t.true(roughBytes(Buffer.alloc(5_000)) >= 5_000);
  const row = { address: `0x${'ab'.repeat(20)}`, value: 12n, block: 7 };
  const [one, many] = [roughBytes(row), roughBytes(Array.from({ length: 10_000 }, () => row))];
  t.true(many > 9_000 * one && many < 12_000 * one, `${one} ${many}`);
  t.true(roughBytes(new Map([['a', row]])) > one);
  const ring: unknown[] = [];
  ring.push(ring);
  t.true(roughBytes(ring) < 10_000, 'what holds itself has an end');
});

test('metrics of all caches with one name are added up', async (t) => {
  const before = cacheFigures().get('pools') ?? { hits: 0, misses: 0, oversize: 0, bytes: 0 };
  const two = [new Cache<string>('pools'), new Cache<string>('pools')];
  for (const cache of two) for (let i = 0; i < 3; i++) await cache.of('k', state, async () => 'v'.repeat(100));
  const after = cacheFigures().get('pools')!;
  t.deepEqual([after.hits - before.hits, after.misses - before.misses], [4, 2]);
  t.true(after.bytes - before.bytes > 200);
});

test.serial('idle cache stores nothing, and keeps its values when enabled again', async (t) => {
  const cache = new Cache<string>('traces');
  cache.set('a', anywhere, 'before');
  idleCaches.add('traces');
  t.is(cache.get('a', anywhere), undefined);
  t.is(await cache.of('a', anywhere, async () => 'made'), 'made');
  cache.set('a', anywhere, 'set');
  idleCaches.clear();
  t.is(cache.get('a', anywhere), 'before');
});
