import type { Readable } from 'node:stream';
import { readBounded } from '#runtime/read-bounded.ts';
import type { UserCall, UserDatabase, UserLimits } from '#sql/user-database.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { Column } from './shown-columns.ts';
import type { UserStatement } from './user-statement.ts';

export interface SqlSettings {
  /** off: no client; key: clients with a credential; open: every client. */
  readonly access: 'off' | 'key' | 'open';
  readonly maxSeconds: number;
  readonly maxMemoryMib: number;
}

export interface SqlEstimate {
  readonly rows: number;
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
  readonly columns: readonly Column[];
}

type ResultLimits = Pick<UserLimits, 'maxResultRows' | 'maxResultBytes'>;

/** Time limits: of planning, and of cheap queries. */
const planSeconds = 5;
export const cheapSeconds = 5;

/** Limits of buffered results, which are discarded if a reorg changed them. */
const memoryLimits = { maxResultRows: 100_000, maxResultBytes: 32 << 20 };
const streamLimits = { maxResultRows: 100_000_000, maxResultBytes: 20_000_000_000 };

interface PreparedDeps {
  readonly userDatabase: Pick<UserDatabase, 'stream'>;
  readonly settings: { readonly queryMaxRows: number; readonly sql: SqlSettings };
}

type SharedCall = Omit<UserCall, 'sql' | 'format' | 'limits' | 'isStreamed'>;

/** A client's query on one snapshot of the chain. */
export class PreparedQuery {
  readonly deps: PreparedDeps;
  readonly statement: UserStatement;
  readonly call: SharedCall;
  readonly mark: string;

  constructor(deps: PreparedDeps, statement: UserStatement, call: SharedCall, mark: string) {
    this.deps = deps;
    this.statement = statement;
    this.call = call;
    this.mark = mark;
  }

  async describe(): Promise<Column[]> {
    const rows = await this.#lines(`DESCRIBE TABLE (\n${this.statement.sql}\n)`);
    return (rows as { name: string; type: string }[]).map(({ name, type }) => ({ name, type }));
  }

  /** Estimates the rows to read per table, from indexes. */
  async estimate(): Promise<SqlEstimate['tables']> {
    const rows = await this.#lines(`EXPLAIN ESTIMATE ${this.statement.sql}`);
    return (rows as { table: string; rows: string }[]).map(({ table, rows: count }) => ({
      table,
      rows: Number(count),
    }));
  }

  async plan(): Promise<string[]> {
    const rows = await this.#lines(`EXPLAIN indexes = 1 ${this.statement.sql}`);
    return rows.map((row) => String(Object.values(row as object)[0]));
  }

  async read(sql: string, format: string, maxSeconds: number): Promise<Buffer> {
    const limits = { ...this.#limits(memoryLimits), maxSeconds };
    return readAll(await this.#send({ sql: `${sql}\n/* ${this.mark} */`, format, limits, isStreamed: false }));
  }

  stream(sql: string, format: string): Promise<Readable> {
    const limits = this.#limits(streamLimits);
    return this.#send({ sql: `${sql}\n/* ${this.mark} */`, format, limits, isStreamed: true });
  }

  #send(call: Omit<UserCall, keyof SharedCall>): Promise<Readable> {
    return this.deps.userDatabase.stream({ ...this.call, ...call });
  }

  async #lines(sql: string): Promise<unknown[]> {
    // planning executes scalar subqueries, so it needs limits
    const limits = { ...this.#limits(memoryLimits), maxSeconds: planSeconds };
    const marked = `${sql}\n/* ${this.mark} */`;
    const rows = await this.#send({ sql: marked, format: 'JSONEachRow', limits, isStreamed: false });
    const text = (await readAll(rows)).toString();
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  }

  #limits(size: ResultLimits): UserLimits {
    const { sql, queryMaxRows } = this.deps.settings;
    return {
      ...size,
      maxSeconds: sql.maxSeconds,
      maxMemoryBytes: sql.maxMemoryMib * 2 ** 20,
      maxRowsToRead: queryMaxRows,
    };
  }
}

const readAll = (stream: Readable): Promise<Buffer> =>
  readBounded(
    stream,
    memoryLimits.maxResultBytes,
    () =>
      new ApiProblem(
        'bad_query',
        'the result is larger than 32 MiB: add LIMIT, or use the formats csv, parquet or arrow',
      ),
  );
