/** Client of the embedded ClickHouse or of a ClickHouse server. */
import { Readable } from 'node:stream';
import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client';
import { readPassword } from '#runtime/engine-password.ts';
import { known } from '#runtime/known.ts';
import { budgetSettings, cancellable, parquetSettings, serverSettings, writeSettings } from './call-settings.ts';
import { readingCall, resolveStatement, writingCalls } from './compile/calls.ts';
import { clusterSettings, insertOnCluster } from './compile/cluster.ts';
import { type Fence, fencedInsert } from './compile/fence.ts';
import type { Statement } from './compile/statements.ts';
import { getColumns, listColumns } from './compile/table-columns.ts';
import type { Parameters } from './parameters.ts';
import { type CallObserver, type RetryOptions, retrying } from './retries.ts';
import { readRowBinary } from './row-binary.ts';
import type { Asked, BinaryRowOf, Given, ReadingName, RowOf, WritingName } from './statement-types.ts';
import { classify, inTime } from './store-error.ts';
import { type Structure, tableStructure } from './table-structure.ts';

export interface StoreObserver extends CallObserver {
  recordRows(table: string, final: 0 | 1, rows: number): void;
}

interface DatabaseOptions extends RetryOptions {
  readonly url: string;
  /** Password file, read for each call: each start of the embedded ClickHouse writes a new password. */
  readonly passwordFile?: string | undefined;
  readonly database: string;
  readonly maxOpenConnections?: number;
  /** Timeout of one attempt, ms (default 15 minutes). */
  readonly requestTimeoutMs?: number;
  readonly observer?: StoreObserver;
  readonly cluster?: string | undefined;
  /** Ends reads. */
  readonly stop?: AbortSignal;
}

interface ReadingCall {
  readonly sql: string;
  readonly query_params: Record<string, unknown>;
  readonly clickhouse_settings: ClickHouseSettings;
  readonly abort_signal: AbortSignal;
  readonly auth?: { username: string; password: string };
}

type Written = Pick<Statement, 'name' | 'sql' | 'parameters'> & Partial<Pick<Statement, 'budget'>>;

interface Shared {
  readonly client: ClickHouseClient;
  readonly fence: Fence | undefined;
  readonly structures: Map<string, Promise<Structure>>;
  readonly closed: AbortController;
}

export class Database {
  readonly #shared: Shared;
  readonly options: DatabaseOptions;

  constructor(options: DatabaseOptions, shared?: Shared) {
    this.options = options;
    this.#shared = shared ?? {
      client: connect(options),
      fence: undefined,
      structures: new Map(),
      closed: new AbortController(),
    };
  }

  #getAuth(): { auth?: { username: string; password: string } } {
    const { passwordFile } = this.options;
    return passwordFile === undefined ? {} : { auth: { username: 'default', password: readPassword(passwordFile) } };
  }

  /**
   * Returns a client whose writes fail with ClaimLostError after another pipeline process takes over.
   * @param signal ends retries
   */
  fencedBy(fence: Fence, signal: AbortSignal): Database {
    return new Database({ ...this.options, signal }, { ...this.#shared, fence });
  }

  /** @returns a client that waits for `turn` before each call */
  inTurn(turn: () => Promise<void>): Database {
    return new Database({ ...this.options, turn }, this.#shared);
  }

  /** @returns a client that repeats a failed call for at most `waitMs` */
  retryingFor(waitMs: number): Database {
    return new Database({ ...this.options, waitMs }, this.#shared);
  }

  /** @returns a client whose reads end when the signal fires, also on the server */
  cancelledBy(stop: AbortSignal): Database {
    return new Database({ ...this.options, stop, signal: stop }, this.#shared);
  }

  /** Reads rows as objects. Integers of 64 bits and more are decimal strings. */
  read<Name extends ReadingName>(name: Name, ...given: Asked<Name>): Promise<RowOf<Name>[]>;
  read<Row>(statement: Statement, parameters?: Parameters): Promise<Row[]>;
  async read(named: Statement | ReadingName, parameters: Parameters = {}, asked?: readonly string[]) {
    return this.#ask(resolveStatement(named, asked), parameters, async ({ sql: query, ...call }) => {
      const result = await this.#shared.client.query({ query, format: 'JSONEachRow', ...call });
      return parseLines(await result.text());
    });
  }

  /** Reads rows as JSON lines. All integers are numbers. */
  async readLines<Name extends ReadingName>(name: Name, parameters: Parameters): Promise<string[]> {
    return this.#ask(resolveStatement(name), parameters, async ({ sql: query, clickhouse_settings, ...call }) => {
      const settings = { ...clickhouse_settings, output_format_json_quote_64bit_integers: 0 as const };
      const format = 'JSONEachRow';
      const result = await this.#shared.client.query({ query, format, clickhouse_settings: settings, ...call });
      return (await result.text()).split('\n').filter((line) => line !== '');
    });
  }

  readOne<Name extends ReadingName>(name: Name, ...given: Asked<Name>): Promise<RowOf<Name>>;
  readOne<Row>(statement: Statement, parameters?: Parameters): Promise<Row>;
  async readOne(named: Statement | ReadingName, parameters?: Parameters, asked?: readonly string[]) {
    const statement = resolveStatement(named, asked);
    const [row] = await this.read<unknown>(statement, parameters);
    return known(row, `the row of ${statement.name}`);
  }

  /** Reads rows in binary format, which is faster. Types: see readRowBinary. */
  readBinary<Name extends ReadingName>(name: Name, ...given: Asked<Name>): Promise<BinaryRowOf<Name>[]>;
  readBinary<Row>(statement: Statement, parameters?: Parameters): Promise<Row[]>;
  async readBinary(named: Statement | ReadingName, parameters: Parameters = {}, asked?: readonly string[]) {
    return this.#ask(resolveStatement(named, asked), parameters, async ({ sql, ...call }) => {
      const query = `${sql.trimEnd()}\nFORMAT RowBinaryWithNamesAndTypes`;
      const { stream } = await this.#shared.client.exec({ query, ...call });
      return readRowBinary(await readAll(stream as Readable));
    });
  }

  #ask<T>(whole: Statement, parameters: Parameters, send: (call: ReadingCall) => Promise<T>): Promise<T> {
    const { cluster, stop } = this.options;
    const statement = readingCall(whole, parameters, cluster);
    const { sql, name } = statement;
    return this.#retrying(name, () =>
      inTime(statement, stop, (signal) =>
        send({
          sql,
          query_params: pick(parameters, statement.parameters),
          clickhouse_settings: { ...budgetSettings(statement), ...(stop ? cancellable : {}) },
          abort_signal: signal,
          ...this.#getAuth(),
        }),
      ),
    );
  }

  /**
   * Streams rows in a ClickHouse format, without retries. Closing the stream cancels the statement. Before the first
   * row, the signal of `cancelledBy` does too.
   * @throws StoreError when the database rejects the statement
   */
  async stream(named: Statement | ReadingName, format: string, parameters: Parameters): Promise<Readable> {
    const statement = resolveStatement(named);
    const { stop } = this.options;
    const closed = new AbortController();
    stop?.addEventListener('abort', () => closed.abort(), { signal: closed.signal });
    try {
      stop?.throwIfAborted();
      const { stream } = await this.#shared.client.exec({
        query: `${statement.sql.trimEnd()}\nFORMAT ${format}`,
        query_params: pick(parameters, statement.parameters),
        abort_signal: closed.signal,
        ...this.#getAuth(),
        clickhouse_settings: {
          ...budgetSettings(statement),
          ...(stop ? cancellable : {}),
          output_format_json_quote_64bit_integers: 0,
          ...parquetSettings,
          format_csv_null_representation: '',
          wait_end_of_query: 0,
        },
      });
      const rows = stream as Readable;
      return rows.once('close', () => closed.abort());
    } catch (error) {
      closed.abort();
      throw classify(statement.name, error);
    }
  }

  execute<Name extends WritingName>(name: Name, ...given: Given<Name>): Promise<void>;
  execute(statement: Written, parameters?: Parameters): Promise<void>;
  async execute(named: Written | WritingName, parameters: Parameters = {}) {
    const statement = typeof named === 'string' ? resolveStatement(named) : named;
    await this.#write(statement, pick(parameters, statement.parameters), writeSettings(statement));
  }

  /** Runs SQL that is not under sql/queries, such as a migration. */
  async command(sql: string, settings: ClickHouseSettings = {}): Promise<void> {
    await this.#write({ name: 'command', sql }, {}, settings);
  }

  async #write(
    { name, sql }: Pick<Statement, 'name' | 'sql'>,
    parameters: Record<string, unknown>,
    settings: ClickHouseSettings = {},
  ) {
    const { cluster } = this.options;
    for (const call of writingCalls(sql, parameters, { fence: this.#shared.fence, cluster }))
      await this.#retrying(name, async () => {
        const query_params = { ...call.parameters, ...this.#shared.fence?.parameters() };
        const into = cluster === undefined ? undefined : /^\s*INSERT INTO (\w+)/.exec(call.sql)?.[1];
        const clickhouse_settings = { ...settings, ...(into === undefined ? {} : insertOnCluster(into)) };
        await this.#shared.client.command({ query: call.sql, query_params, clickhouse_settings, ...this.#getAuth() });
      });
  }

  /**
   * Inserts rows atomically. An insert can be repeated, because tables keep one row per key.
   * @throws StoreError when the database rejects the rows, or the signal aborts
   */
  async insertRowBinary(table: string, rows: Uint8Array | readonly Uint8Array[]): Promise<void> {
    const chunks = rows instanceof Uint8Array ? [rows] : rows;
    const columns = getColumns(table);
    const query = this.#shared.fence
      ? fencedInsert(table, await this.#readStructure(table, columns), this.#shared.fence.parameters())
      : `INSERT INTO ${table} ${columns ? listColumns(columns) : ''} FORMAT RowBinary`;
    await this.#retrying(`insert ${table}`, async () => {
      const result = await this.#shared.client.exec({
        query,
        query_params: { ...this.#shared.fence?.parameters() },
        ...this.#getAuth(),
        values: Readable.from(chunks, { objectMode: false }),
        clickhouse_settings: {
          // an insert is atomic if ClickHouse stores its rows as one part
          max_insert_block_size: '1048449',
          min_insert_block_size_rows: '1048449',
          min_insert_block_size_bytes: '536870912',
          max_partitions_per_insert_block: '1000',
          compile_expressions: 0, // each insert would compile the views again
          max_threads: 2,
          ...(this.options.cluster === undefined ? {} : insertOnCluster(table)),
        },
      });
      for await (const _ of result.stream);
    });
  }

  /** @param columns columns that this program writes (default: all of the table) */
  #readStructure(table: string, columns: readonly string[] | undefined): Promise<Structure> {
    const { structures } = this.#shared;
    const read = async () => {
      const all = await this.read<Structure[number]>(tableStructure, { table });
      return all.filter(({ name }) => columns?.includes(name) ?? true);
    };
    const structure = structures.get(table) ?? read();
    structures.set(table, structure);
    structure.catch(() => structures.delete(table));
    return structure;
  }

  async ping(): Promise<boolean> {
    return (await this.#shared.client.ping()).success;
  }

  /** Also ends the retries of all clients that share this connection. */
  async close(): Promise<void> {
    this.#shared.closed.abort();
    await this.#shared.client.close();
  }

  #retrying<T>(name: string, call: () => Promise<T>): Promise<T> {
    const { closed, fence } = this.#shared;
    return retrying(name, call, { ...this.options, closed: closed.signal, onClaimLost: () => fence?.onRefused() });
  }
}

function connect(options: DatabaseOptions): ClickHouseClient {
  return createClient({
    url: options.url,
    database: options.database,
    max_open_connections: options.maxOpenConnections ?? 32,
    request_timeout: options.requestTimeoutMs ?? 900_000,
    log: { level: ClickHouseLogLevel.OFF },
    keep_alive: { enabled: true, idle_socket_ttl: 20_000 },
    clickhouse_settings: {
      output_format_json_quote_64bit_integers: 1,
      async_insert: 0,
      ...(options.passwordFile === undefined ? serverSettings : {}),
      ...(options.cluster === undefined ? {} : clusterSettings),
    },
  });
}

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const [first, ...others] = chunks;
  return first && others.length === 0 ? first : Buffer.concat(chunks);
}

/** Parses all lines at once: three times as fast as line by line. */
function parseLines(text: string): unknown[] {
  return JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`);
}

function pick(parameters: Parameters, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, parameters[name]]));
}
