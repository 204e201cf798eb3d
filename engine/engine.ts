/**
 * The native engine (chDB). A request is served by a connection that is closed after it: settings, temporary tables and
 * left-over bytes of a failed query die with their connection, so none can reach the next request. Plain SELECTs, which
 * leave nothing, share warm ones. The package's own Session class is not used: it puts off every close until all queries
 * of the process are done, which piles up connections behind one slow query.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import PQueue from 'p-queue';
import { pause } from '#runtime/shutdown.ts';
import { quoteString } from './bind-parameters.ts';
import { EngineException } from './exception.ts';
import { WarmConnections } from './warm-connections.ts';

interface Native {
  CreateConnection(path: string, args: string[]): unknown;
  CloseConnection(connection: unknown): void;
  QueryAsyncConnection(connection: unknown, sql: string, format: string): Promise<NativeResult>;
}

interface NativeResult {
  bytes: Uint8Array;
  /** Seconds. */
  elapsed: number;
  rowsRead: number;
  bytesRead: number;
}

export interface EngineRequest {
  readonly sql: string;
  readonly format: string;
  readonly database: string;
  /** Settings of this request alone: name to text of the value. */
  readonly settings: ReadonlyMap<string, string>;
  /** True of a SELECT whose text ends without settings of its own. */
  readonly isPlainSelect?: boolean;
  /** True of what may change nothing, whatever its text says. */
  readonly readsOnly?: boolean;
  /** True where the rows of an insert are read from a file of this process. */
  readonly readsSpool?: boolean;
  /** Fires when the caller is gone: a request that still waits is then dropped; a running one can't be stopped. */
  readonly signal?: AbortSignal;
}

export interface EngineResult {
  readonly body: Buffer;
  readonly elapsedNs: number;
  readonly rowsRead: number;
  readonly bytesRead: number;
}

interface EngineOptions {
  readonly path: string;
  /** Directory that BACKUP and RESTORE may use; absent: neither works. */
  readonly backupsPath?: string;
  /** Queries that run at the same time. */
  readonly maxRunning: number;
  /** Queries beside them whose rows go out at the pace of who reads them; the thread pool needs 4 threads more than both. */
  readonly maxStreaming: number;
  /** Requests that may wait for a place; one more is refused. */
  readonly maxWaiting: number;
}

/** Defaults of every connection, as `clickhouse local` arguments; a request may set its own. */
const connectionArguments = [
  '--async_insert=0',
  '--allow_introspection_functions=0',
  // rows given as text are values: an expression in their place would be run without being judged
  '--input_format_values_interpret_expressions=0',
  '--input_format_values_deduce_templates_of_expressions=0',
  '--max_memory_usage=6000000000',
  '--max_execution_time=900',
  // short statements come in great numbers: compiling them costs more than it saves
  '--compile_expressions=0',
  '--compile_aggregate_expressions=0',
  '--compile_sort_description=0',
  // what they read is in the page cache: handing each of their columns to a pool of readers costs more than reading it
  '--local_filesystem_read_method=pread',
  '--load_marks_asynchronously=0',
  `--config-file=${join(import.meta.dirname, 'access/config.xml')}`,
  `--users_config=${join(import.meta.dirname, 'access/users.xml')}`,
];

/** Rights of a connection before anything else runs on it: all but those to files. @source access/users.xml */
const withoutFiles = 'SET ROLE NONE';
/**
 * The engine's own default database reaches every file by its path. One in memory takes its place, and is empty at each
 * start.
 */
const ownDefaultDatabase = ['DROP DATABASE default', 'CREATE DATABASE default ENGINE = Memory'];
/** Reading and settings, and no way back. @source ClickHouse docs, Permissions for queries */
const readsOnly = 'SET readonly = 2';

export class Engine {
  readonly #native: Native;
  readonly #keeper: unknown;
  readonly #running: PQueue;
  readonly #streaming: PQueue;
  readonly #reading = new PQueue({ concurrency: 2 });
  readonly #warm: WarmConnections;
  /** Requests inside the library, in a place or not. */
  readonly #inside = new Set<Promise<unknown>>();
  #isClosing = false;

  /** @throws EngineException when the data directory cannot be opened */
  static async open(options: EngineOptions): Promise<Engine> {
    const engine = new Engine(options);
    for (const statement of ownDefaultDatabase) await engine.#query(engine.#keeper, statement, 'Null');
    return engine;
  }
  readonly options: EngineOptions;

  private constructor(options: EngineOptions) {
    this.options = options;

    this.#native = loadNative();
    this.#keeper = this.#open(); // keeps the data directory open between requests
    this.#running = new PQueue({ concurrency: options.maxRunning });
    this.#streaming = new PQueue({ concurrency: options.maxStreaming });
    this.#warm = new WarmConnections(
      async (database) => {
        const connection = this.#open();
        try {
          for (const statement of [withoutFiles, ...useDatabase(database), readsOnly])
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

  /** @throws EngineException as the engine words it; 202 when too many requests wait */
  async run(request: EngineRequest): Promise<EngineResult> {
    if (this.#running.size >= this.options.maxWaiting) {
      throw EngineException.of(202, `Too many simultaneous queries, ${this.options.maxWaiting} are waiting`);
    }
    const priority = request.settings.get('priority') === '1' ? 1 : 0;
    return this.#running.add(() => this.#runNow(request), { priority });
  }

  /** As run, in a place of its own kind: readers that are slow hold up nobody but other streams. */
  async stream(request: EngineRequest): Promise<EngineResult> {
    if (this.#streaming.size >= this.options.maxWaiting)
      throw EngineException.of(202, `Too many streams, ${this.options.maxWaiting} are waiting`);
    return this.#streaming.add(() => this.#runNow(request));
  }

  /** The reply to a short statement that only reads, as text, in a place of its own kind. */
  async readText(sql: string): Promise<string> {
    const read = () => this.#noted(this.#warm.with('default', (connection) => this.#query(connection, sql, 'TSVRaw')));
    return (await this.#reading.add(read)).body.toString();
  }

  /** Ends running queries whose text has `mark` in it; waits for no place. */
  async kill(mark: string): Promise<void> {
    const sql = `KILL QUERY WHERE position(query, ${quoteString(mark)}) > 0 AND query NOT LIKE 'KILL%' ASYNC`;
    await this.#runNow({ sql, format: 'Null', database: 'default', settings: new Map() });
  }

  #runNow(request: EngineRequest): Promise<EngineResult> {
    if (this.#isClosing) return Promise.reject(EngineException.of(210, 'The engine is stopping'));
    return this.#noted(this.#runInside(request));
  }

  #noted<T>(call: Promise<T>): Promise<T> {
    this.#inside.add(call);
    const forget = () => this.#inside.delete(call);
    call.then(forget, forget);
    return call;
  }

  async #runInside(request: EngineRequest): Promise<EngineResult> {
    if (request.signal?.aborted) throw EngineException.of(210, 'The client is gone');
    try {
      if (request.isPlainSelect) {
        const sql = withSettings(request);
        return await this.#warm.with(request.database, (connection) => this.#query(connection, sql, request.format));
      }
      return await this.#runAlone(request);
    } catch (error) {
      throw EngineException.from(error);
    }
  }

  async #runAlone(request: EngineRequest): Promise<EngineResult> {
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
   * Takes no more, gives running requests their time, then ends them, then lets go of the data directory.
   * @returns false where something still runs inside the library: the process must then be killed, for at exit() the
   * library would take itself apart under its own threads
   */
  async close({ graceMs, killMs }: { graceMs: number; killMs: number }): Promise<boolean> {
    this.#running.pause();
    this.#streaming.pause();
    this.#isClosing = true;
    if (!(await this.#isStillWithin(graceMs))) {
      const sql = "KILL QUERY WHERE query NOT LIKE 'KILL%' ASYNC";
      this.#noted(this.#runAlone({ sql, format: 'Null', database: 'default', settings: new Map() })).catch(() => {});
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
  return [
    ...(request.readsSpool ? [] : [withoutFiles]),
    ...useDatabase(request.database),
    ...(request.settings.size > 0 ? [`SET ${assignments(request.settings)}`] : []),
    ...(request.readsOnly ? [readsOnly] : []),
  ];
}

function useDatabase(database: string): string[] {
  return database === 'default' ? [] : [`USE \`${database.replace(/[\\`]/g, '\\$&')}\``];
}

function assignments(settings: ReadonlyMap<string, string>): string {
  return [...settings].map(([name, value]) => `${name} = ${quoteString(value)}`).join(', ');
}

/** The statement with its settings behind its format. @source ClickHouse ParserQueryWithOutput.cpp */
function withSettings({ sql, format, settings }: EngineRequest): string {
  const complete = /\bFORMAT\s+\w+\s*$/i.test(sql) ? sql : `${sql}\nFORMAT ${format}`;
  return settings.size === 0 ? complete : `${complete}\nSETTINGS ${assignments(settings)}`;
}

function loadNative(): Native {
  const require = createRequire(import.meta.url);
  const loader = join(dirname(require.resolve('chdb')), 'dist', 'loader.js');
  return (require(loader) as { loadNative(): Native }).loadNative();
}
