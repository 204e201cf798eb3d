/** The only way to the database, embedded or real: a thin layer over `@clickhouse/client`. */
import { Readable } from 'node:stream';
import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client';
import type { Log } from '#runtime/log.ts';
import { pause } from '#runtime/shutdown.ts';
import { readRowBinary } from './row-binary.ts';
import type { Statement } from './statements.ts';

export type Parameters = Record<string, string | number | bigint | boolean | readonly (string | number | bigint)[]>;

/** The database did not answer, or refused. `retryable` says whether the same call may succeed later. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  constructor(
    message: string,
    readonly retryable: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

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
  readonly database: string;
  readonly log: Log;
  /** How long a call waits for a database that is away, ms; Infinity for the pipeline. */
  readonly waitMs: number;
  readonly maxOpenConnections?: number;
  /** Time that one attempt may take, ms; default 15 min. */
  readonly requestTimeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly observer?: StoreObserver;
}

/** Beyond the time that a statement may run: it may have to wait for its turn, seconds. */
const graceSeconds = 5;

/** ClickHouse codes after which the same call may succeed: too many queries, memory, network, time-out of a lock. */
const passingCodes = new Set(['159', '202', '209', '210', '241', '252', '319', '425', '473', '999']);

export class Database {
  readonly #client: ClickHouseClient;

  constructor(readonly options: DatabaseOptions) {
    this.#client = createClient({
      url: options.url,
      database: options.database,
      max_open_connections: options.maxOpenConnections ?? 32,
      request_timeout: options.requestTimeoutMs ?? 900_000,
      log: { level: ClickHouseLogLevel.OFF }, // faults are thrown, and logged where they are handled
      keep_alive: { enabled: true, idle_socket_ttl: 20_000 },
      clickhouse_settings: { output_format_json_quote_64bit_integers: 1, async_insert: 0 },
    });
  }

  /**
   * Runs a statement within its budget.
   * @returns rows as objects; integers of 64 bits and more are decimal strings
   * @throws StoreError
   */
  async read<Row>(statement: Statement, parameters: Parameters = {}): Promise<Row[]> {
    return this.#retrying(statement.name, () =>
      inTime(statement, async (abort_signal) => {
        const result = await this.#client.query({
          query: statement.sql,
          format: 'JSONEachRow',
          query_params: pick(parameters, statement.parameters),
          clickhouse_settings: budgetSettings(statement),
          abort_signal,
        });
        return parseLines<Row>(await result.text());
      }),
    );
  }

  /**
   * As read, for statements that select bare columns.
   * @returns rows as objects; what each type becomes says row-binary.ts
   * @throws StoreError
   */
  async readBinary<Row>(statement: Statement, parameters: Parameters = {}): Promise<Row[]> {
    return this.#retrying(statement.name, () =>
      inTime(statement, async (abort_signal) => {
        const { stream } = await this.#client.exec({
          query: `${statement.sql.trimEnd()}\nFORMAT RowBinaryWithNamesAndTypes`,
          query_params: pick(parameters, statement.parameters),
          clickhouse_settings: budgetSettings(statement),
          abort_signal,
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
        clickhouse_settings: {
          ...budgetSettings(statement),
          output_format_json_quote_64bit_integers: 0,
          output_format_parquet_compression_method: 'lz4',
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
    const query_params = pick(parameters, statement.parameters);
    await this.#retrying(statement.name, () =>
      this.#client.command({ query: statement.sql, query_params, clickhouse_settings: settings }).then(() => undefined),
    );
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
    await this.#retrying(`insert ${table}`, async () => {
      const result = await this.#client.exec({
        query: `INSERT INTO ${table} FORMAT RowBinary`,
        values: Readable.from(chunks, { objectMode: false }),
        clickhouse_settings: {
          // one insert, one block, one part: atomic and visible as a whole
          max_insert_block_size: '1048449',
          min_insert_block_size_rows: '1048449',
          min_insert_block_size_bytes: '536870912',
          max_partitions_per_insert_block: '1000',
          compile_expressions: 0, // the views' statements would be compiled anew with each insert
          max_threads: 2,
        },
      });
      for await (const _ of result.stream);
    });
  }

  /** True when the server answers. */
  async ping(): Promise<boolean> {
    return (await this.#client.ping()).success;
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #retrying<T>(name: string, call: () => Promise<T>): Promise<T> {
    const { signal, waitMs, log, observer } = this.options;
    const startedAt = Date.now();
    for (let attempt = 1; ; attempt++) {
      const attemptedAt = performance.now();
      try {
        const answer = await call();
        observer?.noteCall(name, (performance.now() - attemptedAt) / 1000);
        return answer;
      } catch (error) {
        const fault = classify(name, error);
        if (!signal?.aborted) observer?.noteFault(fault.retryable);
        const elapsed = Date.now() - startedAt;
        if (!fault.retryable || signal?.aborted || elapsed > waitMs) throw fault;
        const pauseMs = Math.min(50 * 2 ** Math.min(attempt, 7), 5_000) * (0.5 + Math.random() / 2);
        if (attempt > 3)
          log.warn({ event: 'store_retry', call: name, attempt, pauseMs: Math.round(pauseMs), error: fault.message });
        await pause(pauseMs, signal);
      }
    }
  }
}

/**
 * A database that hangs, as a frozen process or a full disk leaves it, counts as away once the statement's time is over.
 * @throws StoreError where no answer came in time
 */
async function inTime<T>({ name, budget }: Statement, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController();
  const seconds = budget.maxSeconds + graceSeconds;
  const timer = setTimeout(() => limit.abort(), 1000 * seconds);
  try {
    return await call(limit.signal);
  } catch (error) {
    if (limit.signal.aborted) throw new StoreError(`${name}: no answer within ${seconds} s`, true, { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function classify(name: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  if (error instanceof ClickHouseError) {
    return new StoreError(`${name}: ${error.message}`, passingCodes.has(error.code), { cause: error });
  }
  // no answer of the database: refused, reset, timed out
  return new StoreError(`${name}: ${error instanceof Error ? error.message : String(error)}`, true, { cause: error });
}

function budgetSettings({ name, budget }: Statement): ClickHouseSettings {
  return {
    max_execution_time: budget.maxSeconds,
    max_memory_usage: String(budget.maxMemoryBytes),
    max_result_rows: String(budget.maxResultRows),
    log_comment: name,
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
