/** Runs SQL of clients, who may read only the public views. */
import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client';
import { overtimeMs } from '#runtime/engine-overtime.ts';
import { readPassword } from '#runtime/engine-password.ts';
import { noSnapshot, snapshotSetting, type ViewSnapshot, viewsDatabase } from './public-views.ts';

export interface UserDatabaseOptions {
  /** For a ClickHouse server: with name and password of a user who may read only the views. */
  readonly url: string;
  /** Password file of the embedded ClickHouse. */
  readonly passwordFile?: string | undefined;
  readonly database: string;
  /** Role of the connections. Unset for a ClickHouse server, where the user has limited rights. */
  readonly role?: 'sql_user' | undefined;
}

export interface UserLimits {
  readonly maxSeconds: number;
  readonly maxMemoryBytes: number;
  readonly maxRowsToRead: number;
  readonly maxResultRows: number;
  readonly maxResultBytes: number;
}

export interface UserCall {
  readonly sql: string;
  readonly format: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly snapshot: ViewSnapshot;
  readonly limits: UserLimits;
  /** If true, rows are sent while the query runs. An error after the first row breaks the stream. */
  readonly isStreamed: boolean;
  readonly signal?: AbortSignal;
}

/** Code of a query that made the embedded ClickHouse restart. It must not be repeated. */
export const stuckCode = 'stuck';

export class UserSqlError extends Error {
  override readonly name = 'UserSqlError';
  /** @source ClickHouse src/Common/ErrorCodes.cpp */
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const accessDenied = '497';
const checkLimits: UserLimits = {
  ...{ maxSeconds: 10, maxMemoryBytes: 1 << 28, maxRowsToRead: 1_000_000 },
  ...{ maxResultRows: 10, maxResultBytes: 1_000_000 },
};

/** Half of the cores. Only for the embedded ClickHouse, because a server has user profiles. */
const embeddedThreads = Math.max(1, Math.floor(availableParallelism() / 2));

export class UserDatabase {
  readonly #client: ClickHouseClient;
  #limited: Promise<void> | undefined;
  readonly options: UserDatabaseOptions;

  constructor(options: UserDatabaseOptions) {
    this.options = options;
    this.#client = createClient({
      url: options.url,
      database: viewsDatabase(options.database),
      max_open_connections: 16,
      request_timeout: 900_000,
      log: { level: ClickHouseLogLevel.OFF },
    });
  }

  /**
   * @returns the result in the requested format
   * @throws UserSqlError with the error of the database; another error if the database did not answer
   */
  async stream(call: UserCall): Promise<Readable> {
    const startedAt = performance.now();
    try {
      return await this.#send(call);
    } catch (error) {
      if (error instanceof ClickHouseError) throw new UserSqlError(error.code, error.message);
      const ranMs = performance.now() - startedAt;
      if (ranMs < call.limits.maxSeconds * 1_000 + overtimeMs || call.signal?.aborted) throw error;
      throw new UserSqlError(stuckCode, 'the query did not end at its time limit, and the database had to restart');
    }
  }

  async #send({ sql, format, parameters, snapshot, limits, isStreamed, signal }: UserCall): Promise<Readable> {
    const { passwordFile, role } = this.options;
    const { stream } = await this.#client.exec({
      query: `${sql}\nFORMAT ${format}`,
      query_params: { ...parameters },
      clickhouse_settings: {
        ...toSettings(limits),
        ...(role ? { max_threads: embeddedThreads } : {}),
        ...snapshotSetting(snapshot),
        wait_end_of_query: isStreamed ? 0 : 1,
      },
      ...(signal ? { abort_signal: signal } : {}),
      ...(role ? { role } : {}),
      ...(passwordFile ? { auth: { username: 'default', password: readPassword(passwordFile) } } : {}),
    });
    return stream as Readable;
  }

  /** @throws Error if the user may read more than the public views */
  async assertLimited(): Promise<void> {
    this.#limited ??= this.#checkLimits();
    this.#limited.catch(() => {
      this.#limited = undefined;
    });
    await this.#limited;
  }

  async #checkLimits(): Promise<void> {
    const { database } = this.options;
    try {
      const call = { parameters: {}, snapshot: noSnapshot, limits: checkLimits, isStreamed: false };
      const rows = await this.stream({ ...call, sql: `SELECT count() FROM ${database}.api_keys`, format: 'TSV' });
      rows.destroy();
    } catch (error) {
      if (error instanceof UserSqlError && error.code === accessDenied) return;
      throw error;
    }
    throw new Error(`the database user for SQL may read the tables of ${database}: grant it only the public views`);
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

/** @source ClickHouse docs, Restrictions on query complexity; Permissions for queries (readonly) */
function toSettings(limits: UserLimits): ClickHouseSettings {
  return {
    readonly: '1',
    max_execution_time: limits.maxSeconds,
    max_memory_usage: String(limits.maxMemoryBytes),
    max_rows_to_read: String(limits.maxRowsToRead),
    max_result_rows: String(limits.maxResultRows),
    max_result_bytes: String(limits.maxResultBytes),
    do_not_merge_across_partitions_select_final: 1,
    output_format_json_quote_64bit_integers: 1,
    output_format_json_quote_decimals: 1,
    cancel_http_readonly_queries_on_client_close: 1,
  };
}
