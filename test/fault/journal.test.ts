/** The journal of stored ranges in the engine: which entry counts, and what joins, repairs and rewinds leave behind. */
import test from 'ava';
import type { RangeSummary } from '#pipeline/encode/range-rows.ts';
import { Journal, readJournal } from '#pipeline/store/journal.ts';
import type { Database } from '#sql/client.ts';
import { startTestEngine, type TestEngine } from '#test/helpers/service.ts';

let engine: TestEngine;

test.before(async () => {
  engine = await startTestEngine();
});

test.after.always(() => engine?.stop());

const hash = (block: number) => `0x${String(block).padStart(64, '0')}`;

const toRange = (fromBlock: number, blocks: number): RangeSummary => ({
  fromBlock,
  toBlock: fromBlock + blocks - 1,
  transactionCount: 1,
  logCount: 1,
  roleCount: 2,
  gasUsed: 21_000,
  parentHash: hash(Math.max(fromBlock - 1, 0)),
  lastHash: hash(fromBlock + blocks - 1),
  firstTime: 0,
  lastTime: 0,
});

async function openJournal(database: Database): Promise<Journal> {
  const journal = new Journal({ database });
  await journal.load();
  return journal;
}

async function store(journal: Journal, ranges: readonly RangeSummary[]): Promise<void> {
  for (const range of ranges) {
    await journal.started(range);
    await journal.done(range);
  }
}

test.serial('range state follows its newest entry, whichever process wrote it', async (t) => {
  const database = await engine.open('journal');
  const range = (fromBlock: number) => toRange(fromBlock, 10);
  const open = () => openJournal(database);
  await store(await open(), [range(10), range(20), range(30)]);
  await new Journal({ database }).rewind(19, hash(19));
  t.deepEqual((await open()).doneIntervals, [{ fromBlock: 10, toBlock: 19 }]);
  const second = await open();
  await store(second, [range(30)]);
  t.deepEqual(
    (await open()).doneIntervals.map(({ fromBlock }) => fromBlock),
    [10, 30],
  );
  await second.forget(range(30));
  t.deepEqual((await open()).doneIntervals, [{ fromBlock: 10, toBlock: 19 }]);
  await t.throwsAsync(new Journal({ database }).started(range(40)), { message: /not loaded/ });
});

test('joined ranges replace their parts, and can be repaired, rewound and stored again', async (t) => {
  const database = await engine.open('joined');
  const ranges = Array.from({ length: 25 }, (_, i) => toRange(i * 100, 100));
  const journal = await openJournal(database);
  await store(journal, ranges.slice(0, 10));
  const other = await openJournal(database);
  await store(journal, ranges.slice(10));
  await journal.joinRanges(2_400);
  const stored = async () => (await readJournal({ database })).map(({ fromBlock, toBlock }) => [fromBlock, toBlock]);
  const joined = [
    [0, 999],
    [1_000, 1_999],
  ];
  const tail = ranges.slice(20).map(({ fromBlock, toBlock }) => [fromBlock, toBlock]);
  t.deepEqual(await stored(), [...joined, ...tail]);

  await other.refresh();
  for (const each of [journal, other, await openJournal(database)]) {
    t.deepEqual(each.doneIntervals, [{ fromBlock: 0, toBlock: 2_499 }]);
    t.is(each.rangeWith(950)?.toBlock, 999);
    t.deepEqual([each.getHash(999), each.getHash(899), each.brokenSeams], [hash(999), undefined, []]);
  }

  await journal.forget({ fromBlock: 0, toBlock: 999 });
  t.deepEqual(journal.doneIntervals, [{ fromBlock: 1_000, toBlock: 2_499 }]);
  await store(journal, [toRange(0, 1_000)]);
  t.deepEqual(await stored(), [...joined, ...tail], 'the same bounds can be stored again');
  await journal.forget(toRange(1_200, 100));
  t.deepEqual((await openJournal(database)).doneIntervals, journal.doneIntervals, 'only these blocks are forgotten');
  t.deepEqual(
    journal.doneIntervals.map(({ fromBlock, toBlock }) => [fromBlock, toBlock]),
    [
      [0, 1_199],
      [1_300, 2_499],
    ],
  );
  await store(journal, [toRange(1_200, 100)]);
  await new Journal({ database }).rewind(1_499, hash(1_499));
  t.deepEqual(await stored(), [
    [0, 999],
    [1_000, 1_199],
    [1_200, 1_299],
    [1_300, 1_499],
  ]);
  t.is((await openJournal(database)).getHash(1_499), hash(1_499), 'the next range must link to it');
});
