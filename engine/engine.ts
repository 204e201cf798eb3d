/**
 * Runs SQL in chDB, a ClickHouse library. Each request except a plain SELECT gets a new connection, so that settings,
 * temporary tables and bytes of a failed query can't reach the next one. chDB's Session class would delay every close
 * until all queries end.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import PQueue from 'p-queue';
import { overtimeMs } from '#runtime/engine-overtime.ts';
import { pause } from '#runtime/shutdown.ts';
import { quoteString } from './bind-parameters.ts';
import { EngineException } from './exception.ts';
import { getTimeLimit, maxSeconds } from './time-limit.ts';
import { WarmConnections } from './warm-connections.ts';

/** `sql_user` may only read the public views. */
export type EngineRole = 'service' | 'sql_user';

interface Native {
  CreateConnection(path: string, args: string[]): unknown;
  CloseConnection(connection: unknown): void;
  QueryAsyncConnection(connection: unknown, sql: string, format: string): Promise<NativeResult>;
}

interface NativeResult {
  bytes: Uint8Array;
  elapsed: number;
  rowsRead: number;
  bytesRead: number;
}

export interface EngineRequest {
  readonly sql: string;
  readonly format: string;
  readonly database: string;
  readonly settings: ReadonlyMap<string, string>;
  /** SELECT of the service without SETTINGS after FORMAT: it can reuse an open connection. */
  readonly isPlainSelect?: boolean;
  readonly readsOnly?: boolean;
  /** Default: service. */
  readonly role?: EngineRole;
  readonly readsSpool?: boolean;
  /** Fires when the client disconnects. A waiting request is then dropped; a running request continues. */
  readonly signal?: AbortSignal;
  /** Called when the statement leaves the queue and starts. */
  readonly onStart?: () => void;
}

export interface EngineResult {
  readonly body: Buffer;
  readonly elapsedNs: number;
  readonly rowsRead: number;
  readonly bytesRead: number;
}

interface EngineOptions {
  readonly path: string;
  /** Backup directory. If unset, BACKUP and RESTORE fail. */
  readonly backupsPath?: string;
  readonly maxRunning: number;
  /**
   * Maximum concurrent streams. The thread pool needs `maxRunning` + `maxStreaming` + 8 threads: 4 of the 8 for
   * `sql_user`.
   */
  readonly maxStreaming: number;
  readonly maxWaiting: number;
  /** Called if a statement of `sql_user` runs long after its time limit. Nothing can stop it. */
  readonly onStuck: (sql: string) => void;
}

/** Maximum concurrent statements and streams of `sql_user`. Statements of the service do not count. */
const maxOfUsers = 4;

const connectionArguments = [
  '--async_insert=0',
  '--allow_introspection_functions=0',
  // the permission check does not cover expressions in inserted rows
  '--input_format_values_interpret_expressions=0',
  '--input_format_values_deduce_templates_of_expressions=0',
  '--max_memory_usage=6000000000',
  `--max_execution_time=${maxSeconds}`,
  // compiling expressions takes longer than it saves in short statements
  '--compile_expressions=0',
  '--compile_aggregate_expressions=0',
  '--compile_sort_description=0',
  // direct reads are faster than a thread pool, because most data is in the page cache
  '--local_filesystem_read_method=pread',
  '--load_marks_asynchronously=0',
  // its two threads use a fifth of the CPU time of a short statement; only streams need them
  '--output_format_parallel_formatting=0',
  `--config-file=${join(import.meta.dirname, 'access/config.xml')}`,
  `--users_config=${join(import.meta.dirname, 'access/users.xml')}`,
];

/**
 * Restricts a connection to a role. An INSERT with input() skips it, because only spool_reader may read the file with
 * the rows. @source access/users.xml
 */
const inRole = (role: EngineRole) => `SET ROLE ${role}`;
/** Replaces the engine's database `default`, in which a query could read a file by using its path as a table name. */
const ownDefaultDatabase = ['DROP DATABASE default', 'CREATE DATABASE default ENGINE = Memory'];
/** Setting that makes a connection read-only; 1 also forbids SET. @source ClickHouse docs, Permissions for queries */
const readsOnly = (role: EngineRole) => `readonly = ${role === 'service' ? 2 : 1}`;

export class Engine {
  readonly #native: Native;
  readonly #keeper: unknown;
  readonly #running: PQueue;
  readonly #streaming: PQueue;
  readonly #ofUsers = new PQueue({ concurrency: maxOfUsers });
  readonly #reading = new PQueue({ concurrency: 2 });
  readonly #warm: WarmConnections;
  readonly #inside = new Set<Promise<unknown>>();
  #isClosing = false;

  static async open(options: EngineOptions): Promise<Engine> {
    const engine = new Engine(options);
    for (const statement of ownDefaultDatabase) await engine.#query(engine.#keeper, statement, 'Null');
    return engine;
  }
  readonly options: EngineOptions;

  private constructor(options: EngineOptions) {
    this.options = options;

    this.#native = loadNative();
    // stays open, because the data directory closes with its last connection
    this.#keeper = this.#open();
    this.#running = new PQueue({ concurrency: options.maxRunning });
    this.#streaming = new PQueue({ concurrency: options.maxStreaming });
    this.#warm = new WarmConnections(
      async (database) => {
        const connection = this.#open();
        try {
          for (const statement of [inRole('service'), ...useDatabase(database), `SET ${readsOnly('service')}`])
            await this.#query(connection, statement, 'Null');
          return connection;
        } catch (error) {
          this.#native.CloseConnection(connection);
          throw error;
        }
      },
      (connection) => this.#native.CloseConnection(connection),
      options.maxRunning,
    );
  }

  /** @throws EngineException with the engine's error, or 202 if too many requests wait */
  async run(request: EngineRequest): Promise<EngineResult> {
    const priority = request.settings.get('priority') === '1' ? 1 : 0;
    return this.#runIn(this.#running, request, priority);
  }

  /** Runs a statement of the service in a separate queue, so that slow clients delay only other streams. */
  async stream(request: EngineRequest): Promise<EngineResult> {
    const settings = new Map([['output_format_parallel_formatting', '1'], ...request.settings]);
    return this.#runIn(this.#streaming, { ...request, settings });
  }

  #runIn(queue: PQueue, request: EngineRequest, priority = 0): Promise<EngineResult> {
    const isOfUser = request.role === 'sql_user';
    const own = isOfUser ? this.#ofUsers : queue;
    if (own.size >= this.options.maxWaiting)
      throw EngineException.of(202, `Too many simultaneous queries: ${this.options.maxWaiting} are waiting`);
    return own.add(() => (isOfUser ? this.#runLimited(request) : this.#runNow(request)), { priority });
  }

  async #runLimited(request: EngineRequest): Promise<EngineResult> {
    const timer = setTimeout(() => this.options.onStuck(request.sql), getTimeLimit(request.settings) + overtimeMs);
    try {
      return await this.#runNow(request);
    } finally {
      clearTimeout(timer);
    }
  }

  async readText(sql: string): Promise<string> {
    const read = () => this.#track(this.#warm.with('default', (connection) => this.#query(connection, sql, 'TSVRaw')));
    return (await this.#reading.add(read)).body.toString();
  }

  /** Starts to kill queries whose text contains `mark`. */
  async kill(mark: string): Promise<void> {
    const sql = `KILL QUERY WHERE position(query, ${quoteString(mark)}) > 0 AND query NOT LIKE 'KILL%' ASYNC`;
    await this.#runNow({ sql, format: 'Null', database: 'default', settings: new Map() });
  }

  #runNow(request: EngineRequest): Promise<EngineResult> {
    if (this.#isClosing) return Promise.reject(EngineException.of(210, 'The engine is stopping'));
    return this.#track(this.#runInside(request));
  }

  #track<T>(call: Promise<T>): Promise<T> {
    this.#inside.add(call);
    const forget = () => this.#inside.delete(call);
    call.then(forget, forget);
    return call;
  }

  async #runInside(request: EngineRequest): Promise<EngineResult> {
    if (request.signal?.aborted) throw EngineException.of(210, 'The client disconnected');
    request.onStart?.();
    try {
      if (request.isPlainSelect) {
        const sql = withSettings(request);
        return await this.#warm.with(request.database, (connection) => this.#query(connection, sql, request.format));
      }
      return await this.#runIsolated(request);
    } catch (error) {
      throw EngineException.from(error);
    }
  }

  async #runIsolated(request: EngineRequest): Promise<EngineResult> {
    const connection = this.#open();
    try {
      for (const preparation of preparations(request)) await this.#query(connection, preparation, 'Null');
      return await this.#query(connection, request.sql, request.format);
    } finally {
      this.#native.CloseConnection(connection);
    }
  }

  async #query(connection: unknown, sql: string, format: string): Promise<EngineResult> {
    const result = await this.#native.QueryAsyncConnection(connection, sql, format);
    return {
      body: Buffer.from(result.bytes.buffer, result.bytes.byteOffset, result.bytes.byteLength),
      elapsedNs: Math.round(result.elapsed * 1e9),
      rowsRead: Number(result.rowsRead),
      bytesRead: Number(result.bytesRead),
    };
  }

  /**
   * Rejects new requests, waits `graceMs` for running queries, kills them and waits `killMs`.
   * @returns false if a query still runs. Then kill the process, because exit() would destroy objects that library
   * threads use.
   */
  async close({ graceMs, killMs }: { graceMs: number; killMs: number }): Promise<boolean> {
    this.#running.pause();
    this.#streaming.pause();
    this.#ofUsers.pause();
    this.#isClosing = true;
    if (!(await this.#isStillWithin(graceMs))) {
      const sql = "KILL QUERY WHERE query NOT LIKE 'KILL%' ASYNC";
      this.#track(this.#runIsolated({ sql, format: 'Null', database: 'default', settings: new Map() })).catch(() => {});
      if (!(await this.#isStillWithin(killMs))) return false;
    }
    this.#warm.closeAll();
    this.#native.CloseConnection(this.#keeper);
    return true;
  }

  async #isStillWithin(ms: number): Promise<boolean> {
    await Promise.race([Promise.allSettled(this.#inside), pause(ms)]);
    return this.#inside.size === 0;
  }

  #open(): unknown {
    const { path, backupsPath } = this.options;
    const backups = backupsPath === undefined ? [] : [`--backups.allowed_path=${backupsPath}`];
    return this.#native.CreateConnection(path, [...connectionArguments, ...backups]);
  }
}

function preparations(request: EngineRequest): string[] {
  const { role = 'service' } = request;
  const settings = [
    ...(request.settings.size > 0 ? [assignments(request.settings)] : []),
    ...(request.readsOnly ? [readsOnly(role)] : []),
  ];
  return [
    ...(request.readsSpool ? [] : [inRole(role)]),
    ...useDatabase(request.database),
    ...(settings.length > 0 ? [`SET ${settings.join(', ')}`] : []),
  ];
}

function useDatabase(database: string): string[] {
  return database === 'default' ? [] : [`USE \`${database.replace(/[\\`]/g, '\\$&')}\``];
}

function assignments(settings: ReadonlyMap<string, string>): string {
  return [...settings].map(([name, value]) => `${name} = ${quoteString(value)}`).join(', ');
}

/** Appends settings after the FORMAT clause. @source ClickHouse ParserQueryWithOutput.cpp */
function withSettings({ sql, format, settings }: EngineRequest): string {
  const complete = /\bFORMAT\s+\w+\s*$/i.test(sql) ? sql : `${sql}\nFORMAT ${format}`;
  return settings.size === 0 ? complete : `${complete}\nSETTINGS ${assignments(settings)}`;
}

function loadNative(): Native {
  const require = createRequire(import.meta.url);
  const loader = join(dirname(require.resolve('chdb')), 'dist', 'loader.js');
  return (require(loader) as { loadNative(): Native }).loadNative();
}
