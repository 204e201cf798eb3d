/** Runs SQL that clients wrote, with rights on the public views alone. */
import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client';
import { readPassword } from '#runtime/engine-password.ts';
import { noSnapshot, snapshotSetting, type ViewSnapshot, viewsDatabase } from './public-views.ts';

export interface UserDatabaseOptions {
  /** URL of the database; of a ClickHouse server, with the name and password of a user who may only read the views. */
  readonly url: string;
  /** File with the password of the embedded engine. */
  readonly passwordFile?: string | undefined;
  /** Name of the service's database. */
  readonly database: string;
  /** Role of the connections; on a server, the rights of the user suffice. */
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
  /** True: sends rows while the query runs, so that an error after the first row interrupts the stream. */
  readonly isStreamed: boolean;
  readonly signal?: AbortSignal;
}

/** The database rejected or stopped a query. */
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

/** The embedded engine shares its cores with requests that must be fast; of a server, the user's profile decides. */
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
   * Runs a SELECT.
   * @returns its result as bytes of the format
   * @throws UserSqlError with the error of the database; another error if the database did not answer
   */
  async stream(call: UserCall): Promise<Readable> {
    try {
      return await this.#send(call);
    } catch (error) {
      throw error instanceof ClickHouseError ? new UserSqlError(error.code, error.message) : error;
    }
  }

  async #send({ sql, format, parameters, snapshot, limits, isStreamed, signal }: UserCall): Promise<Readable> {
    const { passwordFile, role } = this.options;
    const { stream } = await this.#client.exec({
      query: `${sql}\nFORMAT ${format}`,
      query_params: { ...parameters },
      clickhouse_settings: {
        ...settingsOf(limits),
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
function settingsOf(limits: UserLimits): ClickHouseSettings {
  return {
    readonly: '1',
    max_execution_time: limits.maxSeconds,
    max_memory_usage: String(limits.maxMemoryBytes),
    max_rows_to_read: String(limits.maxRowsToRead),
    max_result_rows: String(limits.maxResultRows),
    max_result_bytes: String(limits.maxResultBytes),
    do_not_merge_across_partitions_select_final: 1,
    output_format_json_quote_64bit_integers: 1,
    cancel_http_readonly_queries_on_client_close: 1,
  };
}
