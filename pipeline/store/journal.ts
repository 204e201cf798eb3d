/** Journal of stored block ranges. A range is `started` before its first insert and `done` after its last. */

import PQueue from 'p-queue';
import { zeroHash } from '#chain/codec/hex.ts';
import { contains, type Interval, mergeIntervals, overlaps } from '#chain/intervals.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { RowOf } from '#sql/statement-types.ts';
import type { StoreDeps } from '../deps.ts';
import type { RangeSummary } from '../encode/range-rows.ts';
import { cutOut, getRangeKey, type JournalRange, planJoins } from './journal-ranges.ts';

const stateNumbers = { started: 1, done: 2, void: 3 } as const;
/** Ranges that this process stores between two joins of the journal. */
const joinAfter = 64;

export class Journal {
  #done: Interval[] = [];
  #ranges: RangeSummary[] = [];
  #started = new Map<string, Interval>();
  readonly #lastHashes = new Map<number, string>();
  readonly #parentHashes = new Map<number, string>();
  readonly #brokenSeams = new Set<number>();
  /**
   * Highest version of all ranges; undefined before load(). A new row needs a higher one to replace its range's row.
   */
  #version: number | undefined;
  #doneSinceJoin = joinAfter;
  /** Runs reads and removals one by one, because a read must not restore a range that is being removed. */
  readonly #turns = new PQueue({ concurrency: 1 });
  readonly deps: StoreDeps;

  constructor(deps: StoreDeps) {
    this.deps = deps;
  }

  async load(): Promise<void> {
    await this.#load();
  }

  /** @returns the ranges that are being stored or are stored */
  async #load(): Promise<JournalRange[]> {
    const { ranges, version } = await readEntries(this.deps);
    this.#started = new Map(
      ranges.filter(({ state }) => state === 'started').map((range) => [getRangeKey(range), range]),
    );
    this.#version = version;
    this.#setRanges(ranges.filter(({ state }) => state === 'done'));
    return ranges;
  }

  /** Reads the journal again, without losing this process's changes. */
  async refresh(): Promise<void> {
    await this.#turns.add(() => this.#refresh());
  }

  async #refresh(): Promise<JournalRange[]> {
    const { ranges, version } = await readEntries(this.deps);
    const done = ranges.filter(({ state }) => state === 'done');
    for (const range of done) this.#started.delete(getRangeKey(range));
    for (const range of ranges) if (range.state === 'started') this.#started.set(getRangeKey(range), range);
    this.#version = Math.max(this.#version ?? 0, version);
    const known = new Set(this.#ranges.map(getRangeKey));
    const added = done.filter((range) => !known.has(getRangeKey(range)));
    // another process may have joined ranges
    const isPart = (range: Interval) => added.some((other) => contains(other, range));
    if (added.length > 0) this.#setRanges([...this.#ranges.filter((range) => !isPart(range)), ...added]);
    return ranges;
  }

  /** Last blocks of ranges whose next range has another parent hash: two workers read different branches. */
  get brokenSeams(): number[] {
    return [...this.#brokenSeams].sort((a, b) => a - b);
  }

  /** Returns the hash of a block that is the last one of a range. */
  getHash(block: number): string | undefined {
    return this.#lastHashes.get(block);
  }

  /** Returns the parent hash of a block that is the first one of a range. */
  getParentHash(block: number): string | undefined {
    return this.#parentHashes.get(block);
  }

  /** Ranges with an interrupted insert, which must be repeated with the same bounds. */
  get interrupted(): Interval[] {
    return [...this.#started.values()];
  }

  get doneIntervals(): readonly Interval[] {
    return this.#done;
  }

  rangeWith(block: number): Interval | undefined {
    return this.#ranges.find((range) => range.fromBlock <= block && block <= range.toBlock);
  }

  rangesIn(window: Interval): Interval[] {
    return this.#ranges.filter((range) => overlaps(range, window));
  }

  async started(range: RangeSummary): Promise<void> {
    await this.#write([range], 'started');
    this.#started.set(getRangeKey(range), { fromBlock: range.fromBlock, toBlock: range.toBlock });
  }

  async done(range: RangeSummary): Promise<void> {
    await this.#write([range], 'done');
    this.#started.delete(getRangeKey(range));
    this.#done = mergeIntervals([...this.#done, range]);
    this.#ranges.push(range);
    this.#addSeams(range);
    this.#doneSinceJoin++;
  }

  /** Removes all ranges above `block`, and shortens the range that contains it. @param hash hash of the block */
  async rewind(block: number, hash: string): Promise<void> {
    const above = (await this.#load()).filter(({ toBlock }) => toBlock > block);
    await this.#write(above, 'void');
    const cut = above.filter(({ fromBlock, state }) => fromBlock <= block && state === 'done');
    await this.#write(
      cut.map((range) => ({ ...range, toBlock: block, lastHash: hash })),
      'done',
    );
    await this.load();
  }

  /** Removes the ranges within a range, and cuts longer ones. */
  async forget(range: Interval): Promise<void> {
    await this.#turns.add(async () => {
      const known = (await this.#refresh()).filter((stored) => overlaps(stored, range));
      // a join may have made a range longer than the one whose rows are removed
      const rest = known.filter(({ state }) => state === 'done').flatMap((stored) => cutOut(stored, range));
      await this.#write(rest, 'done');
      await this.#write(known, 'void');
      for (const stored of known) this.#started.delete(getRangeKey(stored));
      this.#setRanges([...this.#ranges.filter((stored) => !overlaps(stored, range)), ...rest]);
    });
  }

  /**
   * Joins adjacent ranges up to a block if this process has stored many, because each start and repair reads the
   * complete journal. Writes joined ranges before it voids the parts, so a crash loses none.
   */
  async joinRanges(through: number): Promise<void> {
    if (this.#doneSinceJoin < joinAfter) return;
    this.#doneSinceJoin = 0;
    await this.#turns.add(async () => {
      const stored = (await this.#refresh()).filter(({ state }) => state === 'done');
      const joins = planJoins(stored.filter(({ toBlock }) => toBlock <= through));
      if (joins.length === 0) return;
      const parts = joins.flatMap((join) => join.parts);
      const joined = joins.map((join) => join.joined);
      const known = new Set(stored.map(getRangeKey)); // an interrupted join may have written some
      await this.#write(
        joined.filter((range) => !known.has(getRangeKey(range))),
        'done',
      );
      await this.#write(parts, 'void');
      const gone = new Set([...parts, ...joined].map(getRangeKey));
      this.#setRanges([...this.#ranges.filter((range) => !gone.has(getRangeKey(range))), ...joined]);
    });
  }

  #setRanges(ranges: RangeSummary[]): void {
    this.#ranges = ranges;
    this.#done = mergeIntervals(ranges);
    this.#lastHashes.clear();
    this.#parentHashes.clear();
    this.#brokenSeams.clear();
    for (const range of ranges) this.#addSeams(range);
  }

  #addSeams(range: RangeSummary): void {
    if (range.lastHash !== zeroHash) this.#lastHashes.set(range.toBlock, range.lastHash);
    if (range.parentHash !== zeroHash) this.#parentHashes.set(range.fromBlock, range.parentHash);
    for (const last of [range.fromBlock - 1, range.toBlock]) {
      const [hash, named] = [this.#lastHashes.get(last), this.#parentHashes.get(last + 1)];
      if (hash !== undefined && named !== undefined && hash !== named) this.#brokenSeams.add(last);
    }
  }

  async #write(ranges: readonly RangeSummary[], state: keyof typeof stateNumbers): Promise<void> {
    if (this.#version === undefined) throw new Error('the journal of stored ranges was not loaded');
    if (ranges.length === 0) return;
    const w = new RowWriter(256 * ranges.length);
    for (const range of ranges) {
      w.uint64(range.fromBlock);
      w.uint64(range.toBlock);
      w.uint8(stateNumbers[state]);
      w.uint64(range.transactionCount);
      w.uint64(range.logCount);
      w.uint64(range.roleCount);
      w.uint64(range.gasUsed);
      w.fixed(range.parentHash, 32);
      w.fixed(range.lastHash, 32);
      w.uint64(++this.#version);
      w.uint64(Date.now());
      w.endRow();
    }
    await this.deps.database.insertRowBinary('range_journal', w.view());
  }
}

/**
 * Returns the ranges that are being stored or are stored, lowest first.
 * @param voidedSince also return ranges that were voided with a higher version
 */
export async function readJournal(
  { database }: StoreDeps,
  voidedSince = Number.MAX_SAFE_INTEGER,
): Promise<JournalRange[]> {
  return (await database.read('journal_ranges', { voided_since: voidedSince })).map(toRange);
}

/** @returns the highest version of all rows, including void ones; 0 if no block was ever stored */
export async function readJournalVersion({ database }: StoreDeps): Promise<number> {
  return Number((await database.readOne('journal_version')).version);
}

async function readEntries(deps: StoreDeps) {
  const ranges = await readJournal(deps);
  // read last: it must not be lower than the version of any range
  return { ranges, version: await readJournalVersion(deps) };
}

const toRange = (row: RowOf<'journal_ranges'>): JournalRange => ({
  fromBlock: Number(row.from_block),
  toBlock: Number(row.to_block),
  state: row.state,
  version: Number(row.version),
  transactionCount: Number(row.transaction_count),
  logCount: Number(row.log_count),
  roleCount: Number(row.role_count),
  gasUsed: Number(row.gas_used),
  parentHash: row.parent_hash,
  lastHash: row.last_hash,
  firstTime: 0, // the journal stores no times
  lastTime: 0,
});
