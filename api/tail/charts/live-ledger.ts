/**
 * Figures of the buckets that are not closed yet, kept in memory and grown block by block: a new head costs the reading of
 * its own rows, not of all since midnight. What is held is bounded; a longer stretch is left to the statements over rows.
 */
import { chunksOf } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, isBackfilled } from '#sql/snapshot.ts';
import { getStatement, type Statements } from '#sql/statements.ts';
import { Cache } from '../../cache/cache.ts';
import { bucketStart, type FixedResolution, fixedSeconds } from '../../terms/buckets.ts';
import type { Figures } from '../../terms/figures.ts';
import { type Actor, actorsOf, addressOfActor } from './block-actors.ts';
import { BucketSum } from './bucket-sum.ts';
import { type BlockRow, type LiveBlock, readAhead, readBlockRows, readLiveBlocks } from './live-rows.ts';
import { lookUpAddresses, stretchOf } from './read-span.ts';

/** Bounds of what is held: 60 MB at most, by the size of a row. */
export interface LedgerBounds {
  readonly blocks: number;
  readonly transactions: number;
  readonly logs: number;
}

const defaultBounds: LedgerBounds = { blocks: 100_000, transactions: 100_000, logs: 300_000 };

export type LiveSeries = Readonly<Record<FixedResolution, ReadonlyMap<number, Figures>>>;

interface Ledger {
  readonly epoch: number;
  /** Version of the newest state it was asked for. */
  version: number;
  /** First block. */
  readonly from: number;
  /** Bucket starts from which on short buckets are kept. */
  readonly hoursFrom: number;
  readonly buckets: Readonly<Record<FixedResolution, Map<number, BucketSum>>>;
  /** Everybody who is known to have taken that part. */
  readonly known: Set<Actor>;
  /** Newest block; undefined before the first. */
  last: { readonly number: number; readonly time: number } | undefined;
  transactions: number;
  logs: number;
}

/** A block and everybody who took part in it. */
interface ActedBlock {
  readonly live: LiveBlock;
  readonly actors: ReadonlySet<Actor>;
}

export class LiveLedger {
  readonly #series = new Cache<LiveSeries | undefined>('open_buckets');
  #ledger: Ledger | undefined;
  /** The stretch that was found to be too long. */
  #tooLong = '';
  #last: Promise<unknown> = Promise.resolve();
  readonly source: { readonly database: Database; readonly statements: Statements };
  readonly bounds: LedgerBounds;

  constructor(
    source: { readonly database: Database; readonly statements: Statements },
    bounds: LedgerBounds = defaultBounds,
  ) {
    this.source = source;
    this.bounds = bounds;
  }

  /**
   * Figures from a block to the head of a state.
   * @param from first block of no closed day
   * @returns undefined where it holds them not: history is not whole, the stretch is too long, or the state is of the past
   */
  series(state: ChainState, from: number): Promise<LiveSeries | undefined> {
    return this.#series.of(`live@${from}`, state, () => {
      const next = this.#last.then(() => this.#seriesOf(state, Math.max(from, state.startBlock)));
      this.#last = next.catch(() => {
        this.#ledger = undefined;
      });
      return next;
    });
  }

  async #seriesOf(state: ChainState, from: number): Promise<LiveSeries | undefined> {
    if (!isBackfilled(state) || state.parked.some((block) => block >= from) || state.head < from) return undefined;
    const isPast = state.version < (this.#ledger?.version ?? 0);
    const isTooLong = state.head - from >= this.bounds.blocks || this.#tooLong === stretchOf(state, from);
    if (isPast || isTooLong || !(await this.#advance(state, from))) return undefined;
    return seriesOf(this.#ledger!, state.hourThrough);
  }

  /** @returns false when the ledger can't be brought to the state's head */
  async #advance(state: ChainState, from: number): Promise<boolean> {
    if (this.#ledger?.epoch !== state.epoch || this.#ledger.from !== from) this.#ledger = emptyLedger(state, from);
    const ledger = this.#ledger;
    ledger.version = state.version;
    const next = ledger.last ? ledger.last.number + 1 : Math.max(from - 1, state.startBlock);
    if (next > state.head) return true;
    const span = { from: next, to: state.head };
    const [rows, ahead] = await Promise.all([
      readBlockRows(this.source, state, span),
      ledger.last ? readAhead(this.source, state, span) : undefined,
    ]);
    if (!isConsecutive(rows, next, state.head)) return this.#drop();
    if (this.#isTooMuch(ledger, rows)) {
      this.#tooLong = stretchOf(state, from);
      return this.#drop();
    }
    const isFirst = !ledger.last && next < from;
    if (isFirst) ledger.last = positionOf(rows.shift()!);
    const blocks = await readLiveBlocks(this.source, state, rows, ahead);
    if (!blocks) return this.#drop();
    const acted = blocks.map((live) => ({ live, actors: actorsOf(live) }));
    await this.#learn(ledger, acted);
    for (const block of acted) append(ledger, block);
    return true;
  }

  #drop(): false {
    this.#ledger = undefined;
    return false;
  }

  #isTooMuch(ledger: Ledger, rows: readonly BlockRow[]): boolean {
    ledger.transactions += rows.reduce((sum, row) => sum + row.transaction_count, 0);
    ledger.logs += rows.reduce((sum, row) => sum + row.log_count, 0);
    return ledger.transactions > this.bounds.transactions || ledger.logs > this.bounds.logs;
  }

  /** Marks everybody in the blocks who took the same part below the ledger's first block. */
  async #learn({ known, from }: Ledger, blocks: readonly ActedBlock[]): Promise<void> {
    const { database, statements } = this.source;
    const unknown = new Set(
      blocks.flatMap(({ actors }) => [...actors].filter((actor) => !known.has(actor)).map(addressOfActor)),
    );
    const addresses = [...unknown].map((address) => address.slice(2));
    for (const some of chunksOf(addresses, lookUpAddresses)) {
      const rows = await database.readBinary<{ kind: string; address: string }>(
        getStatement(statements, 'known_actors'),
        { addresses: some, before_block: from },
      );
      for (const { kind, address } of rows) known.add(`${kind} ${address}` as Actor);
    }
  }
}

function emptyLedger({ epoch, hourThrough, version }: ChainState, from: number): Ledger {
  return {
    epoch,
    version,
    from,
    hoursFrom: hourThrough,
    known: new Set<Actor>(),
    buckets: { '5min': new Map(), hour: new Map(), day: new Map() },
    last: undefined,
    transactions: 0,
    logs: 0,
  };
}

/** Adds a block behind the last one to its buckets. */
function append(ledger: Ledger, { live, actors }: ActedBlock): void {
  const { number, time } = positionOf(live.block);
  const interval = ledger.last?.number === number - 1 ? time - ledger.last.time : undefined;
  const newcomers = [...actors].filter((actor) => !ledger.known.has(actor));
  for (const actor of newcomers) ledger.known.add(actor);
  for (const resolution of Object.keys(fixedSeconds) as FixedResolution[]) {
    if (resolution !== 'day' && time < ledger.hoursFrom) continue;
    const start = bucketStart(resolution, time);
    const known = ledger.buckets[resolution].get(start);
    const bucket = known ?? new BucketSum();
    if (!known) ledger.buckets[resolution].set(start, bucket);
    bucket.add(live, interval, actors, newcomers);
  }
  ledger.last = { number, time };
}

/** What the buckets hold now; short ones that were closed meanwhile are let go. */
function seriesOf({ buckets }: Ledger, hourThrough: number): LiveSeries {
  const figures = (resolution: FixedResolution) =>
    new Map([...buckets[resolution]].map(([start, bucket]) => [start, bucket.figures()]));
  for (const short of ['5min', 'hour'] as const)
    for (const start of buckets[short].keys()) if (start < hourThrough) buckets[short].delete(start);
  return { '5min': figures('5min'), hour: figures('hour'), day: figures('day') };
}

const positionOf = (row: BlockRow) => ({ number: Number(row.block_number), time: row.timestamp });

function isConsecutive(rows: readonly BlockRow[], from: number, to: number): boolean {
  return rows.length === to - from + 1 && rows.every((row, i) => Number(row.block_number) === from + i);
}
