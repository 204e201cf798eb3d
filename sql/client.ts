/** The only way to the database, embedded or real: a thin layer over `@clickhouse/client`. */

import { Readable } from 'node:stream';
import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client';
import { readPassword } from '#runtime/engine-password.ts';
import { known } from '#runtime/known.ts';
import type { Log } from '#runtime/log.ts';
import { pause } from '#runtime/shutdown.ts';
import { callsOnCluster, clusterSettings, insertOnCluster, readOnCluster } from './cluster.ts';
import { type Fence, fencedInsert, fenceStatement } from './fence.ts';
import type { Parameters } from './parameters.ts';
import { readRowBinary } from './row-binary.ts';
import { inSettledForm } from './settled-form.ts';
import { parseStatement, type Statement } from './statements.ts';
import { ClaimLostError, classify, inTime } from './store-error.ts';

/** Is told of every call, each attempt by itself. */
export interface StoreObserver {
  /** @param name of the statement, or `insert <table>` @param seconds until it was answered */
  noteCall(name: string, seconds: number): void;
  noteFault(isRetryable: boolean): void;
  /** Rows of chain data that were inserted. */
  noteRows(table: string, final: 0 | 1, rows: number): void;
}

export interface DatabaseOptions {
  readonly url: string;
  /** File with the password of the embedded engine, read for each call, since a start makes a new one. */
  readonly passwordFile?: string | undefined;
  readonly database: string;
  readonly log: Log;
  /** How long a call waits for a database that is away, ms; Infinity for the pipeline. */
  readonly waitMs: number;
  readonly maxOpenConnections?: number;
  /** Time that one attempt may take, ms; default 15 min. */
  readonly requestTimeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly observer?: StoreObserver;
  /** Name of the cluster that the database is spread over; undefined: one server. */
  readonly cluster?: string | undefined;
  /** Awaited before each attempt of a call. */
  readonly turn?: () => Promise<void>;
}

/**
 * Of exports in Parquet: bloom filters would cost half of the time, and small groups of rows leave early.
 * @source https://clickhouse.com/docs/interfaces/formats/Parquet, settings
 */
const parquetSettings = {
  output_format_parquet_compression_method: 'lz4',
  output_format_parquet_write_bloom_filter: 0,
  output_format_parquet_row_group_size: '200000',
} as const;

type Structure = { name: string; type: string }[];

export class Database {
  readonly #client: ClickHouseClient;
  readonly #fence: Fence | undefined;
  /** Columns by table, for fenced inserts; a process knows one schema. */
  readonly #structures: Map<string, Promise<Structure>>;
  readonly options: DatabaseOptions;

  constructor(
    options: DatabaseOptions,
    shared?: { client: ClickHouseClient; fence: Fence | undefined; structures: Map<string, Promise<Structure>> },
  ) {
    this.options = options;

    this.#fence = shared?.fence;
    this.#structures = shared?.structures ?? new Map();
    this.#client = shared?.client ?? this.#connect();
  }

  /** Name and password of a call; nothing where the URL has them. */
  #caller(): { auth?: { username: string; password: string } } {
    const { passwordFile } = this.options;
    return passwordFile === undefined ? {} : { auth: { username: 'default', password: readPassword(passwordFile) } };
  }

  #connect(): ClickHouseClient {
    const { options } = this;
    return createClient({
      url: options.url,
      database: options.database,
      max_open_connections: options.maxOpenConnections ?? 32,
      request_timeout: options.requestTimeoutMs ?? 900_000,
      log: { level: ClickHouseLogLevel.OFF }, // faults are thrown, and logged where they are handled
      keep_alive: { enabled: true, idle_socket_ttl: 20_000 },
      clickhouse_settings: {
        output_format_json_quote_64bit_integers: 1,
        async_insert: 0,
        ...(options.cluster === undefined ? {} : clusterSettings),
      },
    });
  }

  /**
   * The same database, whose every write is refused with ClaimLostError once the claim is outranked.
   * @param signal ends waiting for a database that is away
   */
  fencedBy(fence: Fence, signal: AbortSignal): Database {
    const structures = this.#structures;
    return new Database({ ...this.options, signal }, { client: this.#client, fence, structures });
  }

  /** The same database, whose every call waits for its turn. @param turn resolves when the call may be sent */
  inTurn(turn: () => Promise<void>): Database {
    const [client, fence, structures] = [this.#client, this.#fence, this.#structures];
    return new Database({ ...this.options, turn }, { client, fence, structures });
  }

  /**
   * Runs a statement within its budget.
   * @returns rows as objects; integers of 64 bits and more are decimal strings
   * @throws StoreError
   */
  async read<Row>(whole: Statement, parameters: Parameters = {}): Promise<Row[]> {
    const statement = inSettledForm(whole, parameters);
    return this.#retrying(statement.name, () =>
      inTime(statement, async (abort_signal) => {
        const result = await this.#client.query({
          query:
            this.options.cluster === undefined ? statement.sql : readOnCluster(statement.sql, this.options.cluster),
          format: 'JSONEachRow',
          query_params: pick(parameters, statement.parameters),
          clickhouse_settings: budgetSettings(statement),
          abort_signal,
          ...this.#caller(),
        });
        return parseLines<Row>(await result.text());
      }),
    );
  }

  /**
   * As read, for statements that give one row whatever the tables hold.
   * @throws StoreError
   */
  async readOne<Row>(statement: Statement, parameters: Parameters = {}): Promise<Row> {
    const [row] = await this.read<Row>(statement, parameters);
    return known(row, `the row of ${statement.name}`);
  }

  /**
   * As read, for statements that select bare columns.
   * @returns rows as objects; what each type becomes says row-binary.ts
   * @throws StoreError
   */
  async readBinary<Row>(whole: Statement, parameters: Parameters = {}): Promise<Row[]> {
    const statement = inSettledForm(whole, parameters);
    return this.#retrying(statement.name, () =>
      inTime(statement, async (abort_signal) => {
        const { stream } = await this.#client.exec({
          query: `${statement.sql.trimEnd()}\nFORMAT RowBinaryWithNamesAndTypes`,
          query_params: pick(parameters, statement.parameters),
          clickhouse_settings: budgetSettings(statement),
          abort_signal,
          ...this.#caller(),
        });
        return readRowBinary<Row>(await readAll(stream as Readable));
      }),
    );
  }

  /**
   * Runs a SELECT and gives its bytes as they come, in ClickHouse's format of that name; a fault on the way ends the stream
   * with an error. Not retried.
   * @throws StoreError when the database refuses the statement
   */
  async stream(statement: Statement, format: string, parameters: Parameters, signal: AbortSignal): Promise<Readable> {
    try {
      const { stream } = await this.#client.exec({
        query: `${statement.sql.trimEnd()}\nFORMAT ${format}`,
        query_params: pick(parameters, statement.parameters),
        abort_signal: signal,
        ...this.#caller(),
        clickhouse_settings: {
          ...budgetSettings(statement),
          output_format_json_quote_64bit_integers: 0,
          ...parquetSettings,
          format_csv_null_representation: '',
          wait_end_of_query: 0,
        },
      });
      return stream as Readable;
    } catch (error) {
      throw classify(statement.name, error);
    }
  }

  /** Runs a statement that gives no rows (DDL, INSERT SELECT), within its budget. */
  async execute(
    statement: Pick<Statement, 'name' | 'sql' | 'parameters'>,
    parameters: Parameters = {},
    settings: ClickHouseSettings = {},
  ): Promise<void> {
    const fenced = this.#fence ? fenceStatement(statement.sql) : statement.sql;
    const own = pick(parameters, statement.parameters);
    const { cluster } = this.options;
    const whole = [{ sql: fenced, parameters: own }];
    for (const call of cluster === undefined ? whole : callsOnCluster(fenced, own, cluster))
      await this.#retrying(statement.name, async () => {
        const query_params = { ...call.parameters, ...this.#fence?.parameters() };
        const into = cluster === undefined ? undefined : /^\s*INSERT INTO (\w+)/.exec(call.sql)?.[1];
        const clickhouse_settings = { ...settings, ...(into === undefined ? {} : insertOnCluster(into)) };
        await this.#client.command({ query: call.sql, query_params, clickhouse_settings, ...this.#caller() });
      });
  }

  /** Runs a text of the program's own, such as a migration. */
  async command(sql: string, settings: ClickHouseSettings = {}): Promise<void> {
    await this.execute({ name: 'command', sql, parameters: [] }, {}, settings);
  }

  /**
   * Inserts rows in RowBinary, in one buffer or several that follow each other, as one block; repeating it after a failure is safe, since every table is keyed by content.
   * @throws StoreError when the database refuses the rows, or the signal fires while it is away
   */
  async insertRowBinary(table: string, rows: Uint8Array | readonly Uint8Array[]): Promise<void> {
    const chunks = rows instanceof Uint8Array ? [rows] : rows;
    const query = this.#fence
      ? fencedInsert(table, await this.#structureOf(table), this.#fence.parameters())
      : `INSERT INTO ${table} FORMAT RowBinary`;
    await this.#retrying(`insert ${table}`, async () => {
      const result = await this.#client.exec({
        query,
        query_params: { ...this.#fence?.parameters() },
        ...this.#caller(),
        values: Readable.from(chunks, { objectMode: false }),
        clickhouse_settings: {
          // one insert, one block, one part: atomic and visible as a whole
          max_insert_block_size: '1048449',
          min_insert_block_size_rows: '1048449',
          min_insert_block_size_bytes: '536870912',
          max_partitions_per_insert_block: '1000',
          compile_expressions: 0, // the views' statements would be compiled anew with each insert
          max_threads: 2,
          ...(this.options.cluster === undefined ? {} : insertOnCluster(table)),
        },
      });
      for await (const _ of result.stream);
    });
  }

  #structureOf(table: string): Promise<Structure> {
    const known = this.#structures.get(table) ?? this.read<Structure[number]>(tableStructure, { table });
    this.#structures.set(table, known);
    known.catch(() => this.#structures.delete(table));
    return known;
  }

  /** True when the server answers. */
  async ping(): Promise<boolean> {
    return (await this.#client.ping()).success;
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #retrying<T>(name: string, call: () => Promise<T>): Promise<T> {
    const { signal, waitMs, log, observer, turn } = this.options;
    const startedAt = Date.now();
    for (let attempt = 1; ; attempt++) {
      await turn?.();
      const attemptedAt = performance.now();
      try {
        const answer = await call();
        observer?.noteCall(name, (performance.now() - attemptedAt) / 1000);
        return answer;
      } catch (error) {
        const fault = classify(name, error);
        if (!signal?.aborted) observer?.noteFault(fault.retryable);
        if (fault instanceof ClaimLostError) this.#fence?.onRefused();
        const elapsed = Date.now() - startedAt;
        if (!fault.retryable || signal?.aborted || elapsed > waitMs) throw fault;
        const pauseMs = Math.min(50 * 2 ** Math.min(attempt, 7), 5_000) * (0.5 + Math.random() / 2);
        if (isTold(attempt))
          log.warn({ event: 'store_retry', call: name, attempt, pauseMs: Math.round(pauseMs), error: fault.message });
        await pause(pauseMs, signal);
      }
    }
  }
}

/** The fourth attempt of a call, then the 8th, 16th and so on: a database that is away for an hour is not news every second. */
const isTold = (attempt: number) => attempt > 3 && Number.isInteger(Math.log2(attempt));

function budgetSettings({ name, budget }: Statement): ClickHouseSettings {
  return {
    max_execution_time: budget.maxSeconds,
    max_memory_usage: String(budget.maxMemoryBytes),
    max_result_rows: String(budget.maxResultRows),
    log_comment: name,
    ...(budget.goesFirst ? { priority: '1' } : {}), // 1 is the highest; ClickHouse, settings
  };
}

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** JSON lines at once: a third of the time that parsing them one by one as a stream takes. */
function parseLines<Row>(text: string): Row[] {
  return JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`) as Row[];
}

function pick(parameters: Parameters, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, parameters[name]]));
}

const tableStructure = parseStatement(
  'table_structure',
  `-- name:    table_structure
-- serves:  pipeline
-- params:  table String
-- returns: columns that rows have, in their order
-- reads:   system.columns
-- budget:  10 s, 64 MiB, 1_000 rows
SELECT name, type
FROM system.columns
WHERE database = currentDatabase() AND table = {table:String} AND default_kind NOT IN ('ALIAS', 'MATERIALIZED')
ORDER BY position`,
);
