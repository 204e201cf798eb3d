import test from 'ava';
import { pageWindow } from '#api/compatible/parameters.ts';

const read = (given: Record<string, string>, rows?: Parameters<typeof pageWindow>[1]) =>
  pageWindow(new Map(Object.entries(given)), rows);

const all = { skip: 0, limit: 10_000 };

test('page and offset work only together, as in Etherscan', (t) => {
  t.deepEqual(read({ page: '3', offset: '20' }), { skip: 40, limit: 20 });
  for (const given of [{}, { page: '2' }, { offset: '10' }, { page: '0', offset: '0' }, { page: 'x', offset: '5' }])
    t.deepEqual(read(given as Record<string, string>), all, JSON.stringify(given));
  t.deepEqual(read({ page: '2' }, { fallback: 1_000 }), { skip: 0, limit: 1_000 }, 'a list with fewer rows');
});

test('in lists that only Blockscout has, each works alone', (t) => {
  const rows = { fallback: 10, worksAlone: true };
  t.deepEqual(read({}, rows), { skip: 0, limit: 10 });
  t.deepEqual(read({ page: '2' }, rows), { skip: 10, limit: 10 });
  t.deepEqual(read({ offset: '7' }, rows), { skip: 0, limit: 7 });
});

test('a page beyond 10,000 rows is refused, however long its number', (t) => {
  for (const page of ['101', '10000000000', '9'.repeat(400)])
    t.throws(() => read({ page, offset: '100' }), { message: /Result window is too large/ }, page);
});
