import test from 'ava';
import fc from 'fast-check';
import { mergeIntervals, overlaps } from '#chain/intervals.ts';
import { inspectStatement } from '#engine/inspect-statement.ts';
import { chooseUnit } from '#pipeline/workers/range-claims.ts';
import { fencedInsert, fenceStatement } from '#sql/compile/fence.ts';
import { loadStatements, placeholders } from '#sql/compile/statements.ts';

const gap = (fromBlock: number, toBlock: number) => ({ fromBlock, toBlock, interrupted: false });

test('every writing statement of the pipeline requires the claim of its worker', (t) => {
  const unfenced = new Set(['beat', 'create_marker', 'drop_marker']); // these register workers or make the claim
  const writing = [...loadStatements().values()].filter(
    ({ name, sql }) => /^(INSERT|ALTER|TRUNCATE|DELETE|DROP|OPTIMIZE|CREATE)/.test(sql.trim()) && !unfenced.has(name),
  );
  t.true(writing.length > 20);
  for (const { name, sql } of writing) {
    const names = placeholders(fenceStatement(sql));
    t.true(names.includes('claim_number') || names.includes('claim_marker'), name);
  }
  t.throws(() => fenceStatement('TRUNCATE TABLE knots'), { message: /can't be fenced/ });
  t.throws(() => fenceStatement('OPTIMIZE TABLE knots'), { message: /can't be fenced/ });
});

test('fenced statement keeps the order of its parts', (t) => {
  const selected = fenceStatement('INSERT INTO t (a, b)\nSELECT x, (SELECT 1) FROM u WHERE y -- why\n');
  t.regex(
    selected,
    /^INSERT INTO t \(a, b\)\nSELECT \* FROM \(\nSELECT x, \(SELECT 1\) FROM u WHERE y -- why\n\) WHERE throwIf\(/,
  );
  const deleted = fenceStatement(
    'ALTER TABLE t DELETE IN PARTITION ID {p:String} WHERE a = 1 OR b = 2 SETTINGS mutations_sync = 2',
  );
  t.regex(
    deleted,
    /DELETE IN PARTITION ID \{p:String\} WHERE \(a = 1 OR b = 2\) AND \([\s\S]+\) = 0 SETTINGS mutations_sync = 2$/,
  );
  const { insert } = inspectStatement(
    fencedInsert('t', [{ name: 'a', type: "Enum8('x' = 1)" }], { claim_kind: 'range' }),
  );
  t.is(insert?.input?.format, 'RowBinary');
  t.is(inspectStatement("INSERT INTO t SELECT 'FROM input(1) FORMAT x'").insert, undefined);
});

test('free gap starts at its beginning, or in its middle behind another worker; interrupted work comes first', (t) => {
  t.deepEqual(chooseUnit([gap(0, 99)], [], 10, 'lowest'), gap(0, 9));
  t.deepEqual(chooseUnit([gap(5, 99)], [], 10, 'lowest'), gap(5, 9));
  t.deepEqual(chooseUnit([gap(0, 99)], [gap(0, 9)], 10, 'largest'), gap(50, 59));
  t.deepEqual(chooseUnit([gap(0, 19), gap(40, 99)], [], 10, 'largest'), gap(40, 49));
  t.deepEqual(chooseUnit([gap(0, 9)], [gap(0, 9)], 10, 'lowest'), undefined);
  const again = { fromBlock: 30, toBlock: 44, interrupted: true };
  t.deepEqual(chooseUnit([gap(0, 29), again], [], 10, 'lowest'), again);
  t.deepEqual(chooseUnit([again], [gap(40, 49)], 10, 'lowest'), undefined);
});

test('unit is within the plan and overlaps no other claim, and all units are taken in the end', (t) => {
  const interval = fc.tuple(fc.nat(200), fc.nat(60)).map(([fromBlock, length]) => gap(fromBlock, fromBlock + length));
  fc.assert(
    fc.property(fc.array(interval), fc.array(interval), fc.integer({ min: 1, max: 50 }), (stretches, taken, size) => {
      const plan = mergeIntervals(stretches).map((stretch) => ({ ...stretch, interrupted: false }));
      const held = [...taken];
      for (;;) {
        const unit = chooseUnit(plan, held, size, held.length % 2 === 0 ? 'lowest' : 'largest');
        if (!unit) break;
        if (held.some((other) => overlaps(other, unit))) return false;
        if (!plan.some((part) => part.fromBlock <= unit.fromBlock && unit.toBlock <= part.toBlock)) return false;
        held.push(unit);
      }
      const covered = mergeIntervals(held);
      return plan.every((part) =>
        covered.some((all) => all.fromBlock <= part.fromBlock && part.toBlock <= all.toBlock),
      );
    }),
  );
  t.pass();
});
