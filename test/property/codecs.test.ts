import { isDeepStrictEqual } from 'node:util';
import test from 'ava';
import fc from 'fast-check';
import { joined } from '#api/read/chain/block-ranges.ts';
import { readDistinct } from '#api/read/chain/paging.ts';
import {
  createCursors,
  decodeCursor,
  encodeCursor,
  keyPosition,
  type Position,
  positionKey,
} from '#api/terms/cursor.ts';
import { ApiProblem } from '#api/terms/errors.ts';
import { findGaps, type Interval, mergeIntervals } from '#chain/intervals.ts';
import { bindParameters } from '#engine/bind-parameters.ts';
import { sliceArray, sliceObject } from '#gateway/json-slices.ts';
import { planRanges } from '#pipeline/backfill/plan-ranges.ts';
import { finalizedHeight } from '#pipeline/follow/finality.ts';
import { ServiceKey } from '#runtime/service-key.ts';
import { splitStatements, tokenize } from '#sql/compile/tokenize.ts';
import { RowWriter } from '#sql/row-writer.ts';

const check = <T>(property: fc.IProperty<T>) => fc.assert(property, { numRuns: 300 });
const bytes = fc.uint8Array({ maxLength: 300 });
const toHex = (data: Uint8Array) => `0x${Buffer.from(data).toString('hex')}`;

test('RowWriter: strings and fixed bytes equal the hex input in any case', (t) => {
  check(
    fc.property(bytes, fc.boolean(), (data, isUpper) => {
      const hex = isUpper ? `0x${toHex(data).slice(2).toUpperCase()}` : toHex(data);
      const writer = new RowWriter(1);
      writer.fixed(hex, data.length);
      writer.data(hex);
      const written = writer.view();
      const head = data.length < 128 ? 1 : 2;
      return (
        written.subarray(0, data.length).equals(Buffer.from(data)) &&
        written.subarray(data.length + head).equals(Buffer.from(data))
      );
    }),
  );
  t.throws(() => new RowWriter().fixed('0xzz', 1), { message: /invalid hex digit/ });
  t.throws(() => new RowWriter().data(`0x${'0'.repeat(600)}g0`), { message: /invalid hex digit/ });
  t.throws(() => new RowWriter().fixed('0x123', 1), { message: /must be hex of 1 bytes/ });
});

test('RowWriter: quantities are little-endian at any length, and too large ones are rejected', (t) => {
  check(
    fc.property(fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }), fc.nat(5), (value, zeros) => {
      const writer = new RowWriter(1);
      writer.quantity256(`0x${'0'.repeat(zeros)}${value.toString(16)}`);
      writer.uint256(value);
      const [low, high] = [writer.view().subarray(0, 32), writer.view().subarray(32)];
      return low.equals(high) && BigInt(`0x${Buffer.from(low).reverse().toString('hex')}`) === value;
    }),
  );
  check(
    fc.property(fc.maxSafeNat(), (value) => {
      const writer = new RowWriter(1);
      writer.uint64(value);
      writer.quantity64(`0x${value.toString(16)}`);
      return writer.view().readBigUInt64LE(0) === BigInt(value) && writer.view().readBigUInt64LE(8) === BigInt(value);
    }),
  );
  t.throws(() => new RowWriter().quantity64(`0x1${'0'.repeat(16)}`), { message: /exceeds 8 bytes/ });
  for (const bad of ['0x', '12', '0xg']) t.throws(() => new RowWriter().quantity64(bad));
});

const interval = fc
  .tuple(fc.nat(200), fc.nat(20))
  .map(([fromBlock, length]): Interval => ({ fromBlock, toBlock: fromBlock + length }));
const getBlocks = (intervals: readonly Interval[]) =>
  new Set(
    intervals.flatMap(({ fromBlock, toBlock }) =>
      Array.from({ length: toBlock - fromBlock + 1 }, (_, i) => fromBlock + i),
    ),
  );

test('intervals: gaps and merged intervals cover everything once', (t) => {
  check(
    fc.property(fc.array(interval, { maxLength: 12 }), (intervals) => {
      const merged = mergeIntervals(intervals);
      const whole = { fromBlock: 0, toBlock: 250 };
      const gaps = findGaps(whole, intervals);
      const covered = getBlocks(merged);
      const isSame =
        [...getBlocks(intervals)].every((block) => covered.has(block)) && covered.size === getBlocks(intervals).size;
      return (
        isSame &&
        [...getBlocks(gaps)].every((block) => !covered.has(block)) &&
        getBlocks(gaps).size + [...covered].filter((b) => b <= 250).length === 251
      );
    }),
  );
  t.deepEqual(mergeIntervals([]), []);
});

test('planRanges: everything unfinished is fetched after a restart, interrupted ranges with their own bounds', (t) => {
  check(
    fc.property(fc.array(interval, { maxLength: 8 }), fc.array(interval, { maxLength: 3 }), (done, interrupted) => {
      const whole = { fromBlock: 0, toBlock: 230 };
      const plan = planRanges(whole, done, interrupted);
      const planned = getBlocks(plan);
      const doneBlocks = getBlocks(done);
      const isComplete = Array.from({ length: 231 }, (_, block) => block).every(
        (block) => doneBlocks.has(block) || planned.has(block),
      );
      return (
        isComplete &&
        interrupted.every((range) =>
          plan.some((p) => p.interrupted && p.fromBlock === range.fromBlock && p.toBlock === range.toBlock),
        )
      );
    }),
  );
  t.deepEqual(planRanges({ fromBlock: 0, toBlock: 9 }, [{ fromBlock: 0, toBlock: 9 }], []), []);
});

test('finality: never above 20 behind the head, never down', (t) => {
  const number = fc.nat(1_000);
  check(
    fc.property(
      number,
      fc.option(number, { nil: undefined }),
      fc.option(fc.integer({ min: 20, max: 100 }), { nil: undefined }),
      number,
      (head, tag, depth, previous) => {
        const height = finalizedHeight({ head, tag, depth, previous });
        return height >= previous && (height === previous || height <= head - 20);
      },
    ),
  );
  t.is(finalizedHeight({ head: 100, tag: 36, depth: undefined, previous: 0 }), 36);
  t.is(finalizedHeight({ head: 100, tag: undefined, depth: undefined, previous: 0 }), 68);
  t.is(finalizedHeight({ head: 100, tag: 100, depth: undefined, previous: 0 }), 68, 'a tag at the head says nothing');
});

const cursors = createCursors(new ServiceKey(Buffer.alloc(32, 1)));

test('skipped ranges: all are covered by at most the requested number', (t) => {
  t.deepEqual(
    joined([
      { from: 5, to: 6 },
      { from: 1, to: 4 },
    ]),
    [{ from: 1, to: 6 }],
  );
  const range = fc.tuple(fc.nat(200), fc.nat(20)).map(([from, length]) => ({ from, to: from + length }));
  check(
    fc.property(fc.array(range, { maxLength: 12 }), fc.integer({ min: 1, max: 12 }), (ranges, most) => {
      const [exact, few] = [joined(ranges), joined(ranges, most)];
      const holds = (list: typeof few, block: number) => list.some(({ from, to }) => from <= block && block <= to);
      const blocks = Array.from({ length: 230 }, (_, block) => block);
      const isApart = exact.every(({ from }, i) => i === 0 || from > exact[i - 1]!.to + 1);
      return (
        isApart &&
        few.length <= most &&
        blocks.every((block) => holds(exact, block) === holds(ranges, block)) &&
        blocks.every((block) => !holds(ranges, block) || holds(few, block))
      );
    }),
  );
});

test('cursors: round-trip, and decode only for their query', (t) => {
  check(
    fc.property(fc.maxSafeNat(), fc.nat(4_294_967_295), fc.string(), (block, index, filter) => {
      const gaps = index % 2 === 0 ? undefined : [{ from: block, to: block + 1 }];
      const traces = index % 3 === 0 ? { lacksTraces: true } : {};
      const pin = { head: block, hash: `0x${'ab'.repeat(32)}`, reorgGeneration: index, gaps, ...traces };
      const decoded = decodeCursor(cursors(filter), encodeCursor(cursors(filter), positionKey({ block, index }), pin));
      const position = keyPosition(decoded.key);
      const isPinned = isDeepStrictEqual(decoded.pin, pin);
      return position.block === block && position.index === index && isPinned;
    }),
  );
  check(
    fc.property(fc.array(fc.oneof(fc.string(), fc.maxSafeNat()), { maxLength: 4 }), (key) => {
      const decoded = decodeCursor(cursors(1), encodeCursor(cursors(1), key));
      return JSON.stringify(decoded.key) === JSON.stringify(key) && decoded.pin === undefined;
    }),
  );
  const cursor = encodeCursor(cursors('a'), positionKey({ block: 1, index: 2 }));
  t.throws(() => decodeCursor(cursors('b'), cursor), { instanceOf: ApiProblem });
  const others = createCursors(new ServiceKey(Buffer.alloc(32, 2)));
  t.throws(() => decodeCursor(others('a'), cursor), { message: /damaged/ }, 'another key');
  t.deepEqual(decodeCursor(createCursors(new ServiceKey(Buffer.alloc(32, 1)))('a'), cursor).key, [1, 2, 0]);
  check(
    fc.property(fc.nat(27), (at) => {
      const damaged = Buffer.from(cursor);
      damaged[at] = damaged[at] === 65 ? 66 : 65;
      try {
        decodeCursor(cursors('a'), damaged.toString());
        return false;
      } catch (error) {
        return error instanceof ApiProblem;
      }
    }),
  );
});

test('tokenizer loses only whitespace and comments, and strings hide their content', (t) => {
  check(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
      const sql = `SELECT '${text.replace(/[\\']/g, '\\$&')}' AS a`;
      const tokens = [...tokenize(sql)];
      return tokens.length === 4 && tokens[1]?.kind === 'string' && splitStatements(`${sql}; ${sql}`).length === 2;
    }),
  );
  check(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (value) => {
      const escaped = value.replace(
        /[\\\t\n\r\0]/g,
        (c) => ({ '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '\\0' })[c]!,
      );
      const bound = bindParameters('SELECT {x:String}', new Map([['x', escaped]]));
      const [, literal, ...rest] = [...tokenize(bound)];
      return literal?.kind === 'string' && rest.length === 0;
    }),
  );
  t.is(bindParameters("SELECT '{x:String}'", new Map()), "SELECT '{x:String}'");
});

test('readDistinct: every row once, in order, however often it is stored', async (t) => {
  const stored = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(stored, fc.integer({ min: 1, max: 70 }), async (copies, wanted) => {
      const rows = copies.flatMap((times, block) => Array.from({ length: times }, () => ({ block, index: 0 })));
      const read = async (after: Position, limit: number) =>
        rows.filter((row) => row.block > after.block).slice(0, limit);
      const got = await readDistinct(read, { block: -1, index: 0 }, wanted, (row) => row);
      t.deepEqual(
        got.map((row) => row.block),
        copies.map((_, block) => block).slice(0, wanted),
      );
    }),
  );
});

test('slices of a JSON text equal the original', (t) => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom('', ' ', '\n  '), (values, blank) => {
      const texts = values.map((value) => JSON.stringify(value));
      t.deepEqual(sliceArray(`${blank}[${blank}${texts.join(`${blank},${blank}`)}${blank}]`), texts);
    }),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const members = Object.entries(value).map(([name, one]) => [name, JSON.stringify(one)]);
      t.deepEqual(sliceObject(JSON.stringify(value)), members as never);
    }),
  );
});
