/** List cursors record which blocks earlier pages lacked. */
import test from 'ava';
import { makeWalkPage } from '#api/read/chain/walk-page.ts';
import { CursorScope, decodeCursor, type Pin } from '#api/terms/cursor.ts';
import type { ChainState } from '#sql/snapshot.ts';

const state = {
  startBlock: 0,
  head: 100,
  finalized: 90,
  backfilledBefore: 91,
  followFrom: 91,
  quarantined: [],
  repairs: [],
} as unknown as ChainState;
const scope = new CursorScope(Buffer.alloc(32), 'list');
const pin: Pin = { head: 100, hash: `0x${'1'.repeat(64)}`, reorgGeneration: 1 };

function lacksTraces(order: 'asc' | 'desc', end: number, traced?: [from: number, to: number], before = pin): boolean {
  const rows = [end, end].map((block) => ({ block, index: 0 }));
  const { nextCursor } = makeWalkPage(
    rows,
    {
      ...{ scope, order, limit: 1, pin: before, state, window: { from: 0, to: 100 } },
      traced: traced && [{ from: traced[0], to: traced[1] }],
    },
    (row) => row,
  );
  return decodeCursor(scope, nextCursor!).pin?.lacksTraces === true;
}

test('a cursor says whether earlier pages lacked internal transfers', (t) => {
  t.false(lacksTraces('asc', 40), 'a list without internal transfers');
  t.false(lacksTraces('asc', 40, [0, 100]));
  t.false(lacksTraces('asc', 40, [0, 40]), 'later blocks are not read yet');
  t.true(lacksTraces('asc', 40, [1, 100]));
  t.true(lacksTraces('asc', 40, [0, 39]));
  t.false(lacksTraces('desc', 40, [40, 100]));
  t.true(lacksTraces('desc', 40, [41, 100]));
  t.true(lacksTraces('desc', 40, [0, 100], { ...pin, lacksTraces: true }), 'the first page counts for all');
});
