/** Journal of stored block ranges: a range is `started` before its first insert and `done` after its last. */

import { type Interval, mergeIntervals } from '#chain/intervals.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { StoreDeps } from '../deps.ts';
import type { RangeSummary } from '../encode/range-rows.ts';

export interface JournalRange extends RangeSummary {
  /** `void`: a rewind or a repair removed the range. */
  readonly state: 'started' | 'done' | 'void';
  readonly version: number;
}

const stateNumbers = { started: 1, done: 2, void: 3 } as const;

export class Journal {
  #done: Interval[] = [];
  #ranges: Interval[] = [];
  #started = new Map<string, Interval>();
  readonly #lastHashes = new Map<number, string>();
  readonly #parentHashes = new Map<number, string>();
  readonly #brokenSeams = new Set<number>();
  /** Highest version of all ranges. A new row needs a higher one to replace its range's row. Undefined before load(). */
  #version: number | undefined;
  readonly deps: StoreDeps;

  constructor(deps: StoreDeps) {
    this.deps = deps;
  }

  async load(): Promise<void> {
    const ranges = await readEntries(this.deps);
    this.#ranges = ranges.filter((range) => range.state === 'done');
    this.#done = mergeIntervals(this.#ranges);
    this.#started = new Map(ranges.filter((range) => range.state === 'started').map((range) => [getKey(range), range]));
    this.#lastHashes.clear();
    this.#parentHashes.clear();
    this.#brokenSeams.clear();
    for (const range of ranges) if (range.state === 'done') this.#addSeams(range);
    this.#version = getHighestVersion(ranges);
  }

  /** Reads the journal again, without losing this process's changes. */
  async refresh(): Promise<void> {
    const ranges = await readEntries(this.deps);
    const known = new Set(this.#ranges.map(getKey));
    const done = ranges.filter((range) => range.state === 'done');
    const added = done.filter((range) => !known.has(getKey(range)));
    this.#ranges.push(...added);
    this.#done = mergeIntervals([...this.#done, ...added]);
    for (const range of added) this.#addSeams(range);
    for (const range of done) this.#started.delete(getKey(range));
    for (const range of ranges) if (range.state === 'started') this.#started.set(getKey(range), range);
    this.#version = Math.max(this.#version ?? 0, getHighestVersion(ranges));
  }

  /** Last blocks of ranges whose next range names another parent, because two workers read different branches. */
  get brokenSeams(): number[] {
    return [...this.#brokenSeams].sort((a, b) => a - b);
  }

  /** Returns the hash of a block if it is the last one of a range. */
  getHash(block: number): string | undefined {
    return this.#lastHashes.get(block);
  }

  /** Returns the parent hash of a block if it is the first one of a range. */
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

  rangesIn({ fromBlock, toBlock }: Interval): Interval[] {
    return this.#ranges.filter((range) => range.fromBlock <= toBlock && range.toBlock >= fromBlock);
  }

  async started(range: RangeSummary): Promise<void> {
    await this.#write(range, 'started');
    this.#started.set(getKey(range), { fromBlock: range.fromBlock, toBlock: range.toBlock });
  }

  async done(range: RangeSummary): Promise<void> {
    await this.#write(range, 'done');
    this.#started.delete(getKey(range));
    this.#done = mergeIntervals([...this.#done, range]);
    this.#ranges.push({ fromBlock: range.fromBlock, toBlock: range.toBlock });
    this.#addSeams(range);
  }

  /** Removes all ranges above `block`, and shortens the range that contains it. */
  async rewind(block: number): Promise<void> {
    await this.load();
    for (const range of await readJournal(this.deps)) {
      if (range.toBlock <= block) continue;
      await this.#write(range, 'void');
      // the hash of the new last block is unknown
      if (range.fromBlock <= block && range.state === 'done')
        await this.#write({ ...range, toBlock: block, lastHash: zeroHash }, 'done');
    }
    await this.load();
  }

  async forget(range: Interval): Promise<void> {
    await this.refresh();
    for (const known of await readJournal(this.deps)) {
      if (known.toBlock < range.fromBlock || known.fromBlock > range.toBlock) continue;
      await this.#write(known, 'void');
    }
    await this.load();
  }

  #addSeams(range: RangeSummary): void {
    if (range.lastHash !== zeroHash) this.#lastHashes.set(range.toBlock, range.lastHash);
    if (range.parentHash !== zeroHash) this.#parentHashes.set(range.fromBlock, range.parentHash);
    for (const last of [range.fromBlock - 1, range.toBlock]) {
      const [hash, named] = [this.#lastHashes.get(last), this.#parentHashes.get(last + 1)];
      if (hash !== undefined && named !== undefined && hash !== named) this.#brokenSeams.add(last);
    }
  }

  async #write(range: RangeSummary, state: keyof typeof stateNumbers): Promise<void> {
    if (this.#version === undefined) throw new Error('the journal of stored ranges was not loaded');
    const w = new RowWriter(256);
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
    await this.deps.database.insertRowBinary('range_journal', w.view());
  }
}

const zeroHash = `0x${'0'.repeat(64)}`;
const getKey = (range: Interval) => `${range.fromBlock}-${range.toBlock}`;

const getHighestVersion = (ranges: readonly JournalRange[]) =>
  ranges.reduce((highest, { version }) => Math.max(highest, version), 0);

export async function readJournal(deps: Journal['deps']): Promise<JournalRange[]> {
  return (await readEntries(deps)).filter(({ state }) => state !== 'void');
}

async function readEntries({ database }: Journal['deps']): Promise<JournalRange[]> {
  const rows = await database.read('journal_ranges');
  return rows.map((row) => ({
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
  }));
}
