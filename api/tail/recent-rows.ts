/**
 * Caches rows of the newest blocks by address: all unfinalized blocks (each is a database partition), and finalized
 * blocks above a lower limit (floor). The floor rises when the cache is full.
 */
import type { Database } from '#sql/client.ts';
import { type ChainState, isStillIntact } from '#sql/snapshot.ts';
import { StoreError } from '#sql/store-error.ts';
import { Cache } from '../cache/cache.ts';
import type { CacheName } from '../cache/caches.ts';

interface Placed {
  readonly block_number: string;
}

/** Rows in memory, about 1 kB each. */
const defaultMaxRows = 50_000;

interface Source<Row extends Placed> {
  /** Reads at most `limit` rows of the blocks above `after`, up to `through`. Unordered, may contain duplicates. */
  read(after: number, through: number, limit: number): Promise<readonly Row[]>;
  /** Last block up to which all rows above `after` are stored. Default: the head. */
  storedThrough?(state: ChainState, after: number): Promise<number>;
  getAddress(row: Row): string;
  /** Compares positions on the chain. Rows of one address at the same position are duplicates. */
  compare(a: Row, b: Row): number;
  /** Other keys of a row, for example its transaction hash; need not be unique. */
  getKeys?(row: Row): readonly string[];
}

/** Rows of the blocks above `floor`, which is finalized, oldest first. */
export interface Newest<Row> {
  readonly floor: number;
  readonly rows: readonly Row[];
  /** False if rows of older blocks can still be added. Default: true. */
  readonly canCacheOlder?: boolean;
}

/** Rows of the blocks above `floor`, which is finalized, up to `through`. */
export interface Recent<Row> {
  readonly floor: number;
  /** The head, if all rows are stored. */
  readonly through: number;
  /** Oldest first. */
  of(address: string): readonly Row[];
  last(address: string): Row | undefined;
  /** First row with a key. */
  find(key: string): Row | undefined;
}

interface Known<Row> {
  readonly reorgGeneration: number;
  readonly floor: number;
  /** Last block whose rows are in memory. Below the head if the pipeline stores these rows after their block. */
  readonly through: number;
  /** Newest head for which a read was tried. */
  readonly head: number;
  readonly byAddress: Map<string, Row[]>;
  readonly byKey: Map<string, Row>;
  readonly rows: number;
  /** Newest head for which a read succeeded. */
  readonly readHead: number;
  /** Set if there were too many rows: read again when this block is final. */
  readonly fullUntil?: number;
}

export class RecentRows<Row extends Placed> {
  #known: Known<Row> = createEmpty<Row>(-1, -1, -1);
  #reading: Promise<void> | undefined;
  readonly database: Database;
  readonly source: Source<Row>;
  readonly maxRows: number;

  constructor(database: Database, source: Source<Row>, maxRows = defaultMaxRows) {
    this.database = database;
    this.source = source;
    this.maxRows = maxRows;
  }

  /**
   * @returns undefined if `state` is outdated, or if the rows of its unfinalized blocks are too many or could not be
   * read: read them from the database
   */
  async at(state: ChainState): Promise<Recent<Row> | undefined> {
    while (isBehind(this.#known, state)) {
      this.#reading ??= this.#advance(state).finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    const known = this.#known;
    const isSame = known.reorgGeneration === state.reorgGeneration;
    const isKnown = known.floor <= state.finalized && state.head <= known.readHead;
    return isSame && isKnown && known.fullUntil === undefined ? view(known, state.head) : undefined;
  }

  /** @returns undefined as at() */
  async readNewest(state: ChainState, address: string): Promise<Newest<Row> | undefined> {
    const recent = await this.at(state);
    return recent && { floor: recent.floor, rows: recent.of(address) };
  }

  async #advance(state: ChainState): Promise<void> {
    const { reorgGeneration, finalized, head } = state;
    const before = this.#known;
    const isSame = before.reorgGeneration === reorgGeneration;
    if (isSame && before.fullUntil !== undefined && finalized < before.fullUntil) {
      this.#known = { ...before, head };
      return;
    }
    const isContinued = isSame && before.fullUntil === undefined && before.through >= finalized;
    const known = isContinued ? before : createEmpty<Row>(reorgGeneration, finalized, head);
    const more = await this.#read(state, known.through);
    if (!more) {
      this.#known = { ...known, head };
      return;
    }
    const { rows, through } = more;
    // rows are added in place, so nothing may fail from here on
    const read = { through, head, readHead: head };
    const next = this.#trim({ ...known, ...read, rows: known.rows + this.#add(known, rows) }, finalized);
    const hasRoom = Math.max(next.rows, rows.length) <= this.maxRows;
    // each attempt reads many rows, so the next one waits until all these blocks are final
    this.#known = hasRoom ? next : { ...createEmpty(reorgGeneration, finalized, head), fullUntil: head };
  }

  /**
   * Reads the rows of the blocks above `after`, up to `through` of the result.
   * @returns undefined if the database fails, or if rows were deleted during the read: finalized blocks stay in memory,
   * so no row may be missing
   */
  async #read(
    state: ChainState,
    after: number,
  ): Promise<{ readonly rows: readonly Row[]; readonly through: number } | undefined> {
    try {
      const through = (await this.source.storedThrough?.(state, after)) ?? state.head;
      const rows = through > after ? await this.source.read(after, through, this.maxRows + 1) : [];
      return (await isStillIntact(this.database, state)) ? { rows, through } : undefined;
    } catch (error) {
      if (error instanceof StoreError) return undefined;
      throw error;
    }
  }

  /**
   * Adds rows in place. Running requests are not affected: they skip blocks above their head.
   * @returns number of rows
   */
  #add({ byAddress, byKey }: Known<Row>, added: readonly Row[]): number {
    let count = 0;
    for (const row of [...added].sort(this.source.compare)) {
      const address = this.source.getAddress(row);
      const own = byAddress.get(address) ?? [];
      const last = own.at(-1);
      if (last && this.source.compare(last, row) === 0) continue;
      own.push(row);
      count++;
      byAddress.set(address, own);
      for (const key of this.source.getKeys?.(row) ?? []) if (!byKey.has(key)) byKey.set(key, row);
    }
    return count;
  }

  /** If there are too many rows, drops the oldest finalized blocks until half of the limit is free. */
  #trim(known: Known<Row>, finalized: number): Known<Row> {
    if (known.rows <= this.maxRows) return known;
    const counts = new Map<number, number>();
    for (const own of known.byAddress.values())
      for (const row of own) counts.set(getBlock(row), (counts.get(getBlock(row)) ?? 0) + 1);
    let [floor, rows] = [known.floor, known.rows];
    while (floor < finalized && rows > this.maxRows / 2) rows -= counts.get(++floor) ?? 0;
    const byAddress = new Map<string, Row[]>();
    for (const [address, own] of known.byAddress) {
      const remaining = own.filter((row) => getBlock(row) > floor);
      if (remaining.length > 0) byAddress.set(address, remaining);
    }
    return {
      ...known,
      floor,
      rows,
      byAddress,
      byKey: new Map([...known.byKey].filter(([, row]) => getBlock(row) > floor)),
    };
  }
}

/** Rows of the newest blocks, and a cache of the older rows that a first page (newest first) also needs. */
export class RecentList<Row extends Placed> extends RecentRows<Row> {
  readonly older: Cache<Row[]>;

  constructor(database: Database, source: Source<Row>, older: CacheName, maxRows?: number) {
    super(database, source, maxRows);
    this.older = new Cache(older);
  }
}

function createEmpty<Row>(reorgGeneration: number, floor: number, head: number): Known<Row> {
  return {
    ...{ reorgGeneration, floor, through: floor, head, readHead: -1, rows: 0 },
    ...{ byAddress: new Map(), byKey: new Map() },
  };
}

function view<Row extends Placed>({ floor, through, byAddress, byKey }: Known<Row>, head: number): Recent<Row> {
  const isSeen = (row: Row | undefined) => row === undefined || getBlock(row) <= head;
  return {
    floor,
    through: Math.min(through, head),
    of: (address) => {
      const own = byAddress.get(address.toLowerCase()) ?? [];
      let end = own.length;
      while (end > 0 && !isSeen(own[end - 1])) end--;
      return own.slice(0, end); // later blocks extend the array
    },
    last: (address) => byAddress.get(address.toLowerCase())?.findLast(isSeen),
    find: (key) => {
      const row = byKey.get(key);
      return row && isSeen(row) ? row : undefined;
    },
  };
}

function isBehind(known: Known<unknown>, { reorgGeneration, head }: ChainState): boolean {
  return known.reorgGeneration < reorgGeneration || (known.reorgGeneration === reorgGeneration && known.head < head);
}

const getBlock = ({ block_number }: Placed) => Number(block_number);
