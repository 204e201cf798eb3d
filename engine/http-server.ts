/**
 * HTTP server of the embedded ClickHouse, compatible with `@clickhouse/client` and curl.
 * @source ClickHouse src/Server/HTTPHandler.cpp; https://clickhouse.com/docs/interfaces/http
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzip } from 'node:zlib';
import { drainBody } from '#runtime/request-body.ts';
import { bindNames, bindParameters, quoteString } from './bind-parameters.ts';
import { assertCaller, assertNoPage } from './caller.ts';
import type { Engine, EngineRequest, EngineResult } from './engine.ts';
import { EngineException } from './exception.ts';
import { inspectStatement, type Statement } from './inspect-statement.ts';
import { refused, type StatementJudge } from './judge-statement.ts';
import { killUntilEnded } from './kill-until-ended.ts';
import { type ParsedRequest, parseRequest } from './parse-request.ts';
import { readBody, SpoolFile } from './read-body.ts';
import { streamResult } from './stream-result.ts';

interface EngineServerOptions {
  readonly engine: Engine;
  readonly judge: StatementJudge;
  readonly version: string;
  readonly password: string;
  /** Directory for temporary files, preferably in memory. */
  readonly spoolDir: string;
  /** Maximum size of a statement, without inserted rows. */
  readonly maxQueryBytes: number;
}

/** Maximum size of URL and headers, bytes. @source ClickHouse, http_max_uri_size */
const maxHeaderSize = 1024 * 1024;

export function createEngineServer(options: EngineServerOptions): Server {
  const server = createServer({ maxHeaderSize }, (request, response) => void answer(options, request, response));
  server.keepAliveTimeout = 60_000;
  server.requestTimeout = 0;
  return server;
}

let spooled = 0;

async function answer(options: EngineServerOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const disconnected = new AbortController();
  response.on('close', () => disconnected.abort());
  try {
    assertNoPage(request.headers);
    const path = (request.url ?? '/').split('?')[0];
    if (path === '/ping' || path === '/replicas_status') return sendText(response, 200, 'Ok.\n');
    if (path !== '/') return sendText(response, 404, 'Not found: send statements to /\n');
    if (request.method !== 'GET' && request.method !== 'HEAD' && request.method !== 'POST') {
      return sendText(response, 405, 'Method not allowed: send statements by GET or POST\n');
    }
    assertCaller(request, options.password);
    await answerQuery(options, request, response, disconnected.signal);
  } catch (error) {
    await drainBody(request, response);
    sendException(response, EngineException.from(error), options.version);
  }
}

async function answerQuery(
  options: EngineServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const parsed = parseRequest(request);
  response.setHeader('X-ClickHouse-Query-Id', parsed.queryId ?? randomUUID());
  if (parsed.query === '' && request.method === 'GET') return sendText(response, 200, 'Ok.\n');
  const { statement, rows, bodyFollows } = await readQuery(options, parsed, request);
  const readsOnly = await judgeStatement(options, parsed, statement);
  const spool = statement.insert ? new SpoolFile(join(options.spoolDir, `${process.pid}-${spooled++}`)) : undefined;
  try {
    await spool?.fill(rows, bodyFollows ? request : undefined);
    const query = {
      sql: bindParameters(spool ? fromFile(statement, spool.path) : statement.sql, parsed.parameters),
      format: parsed.defaultFormat,
      database: parsed.database,
      settings: parsed.settings,
      signal,
      readsOnly,
      role: parsed.role,
      readsSpool: statement.insert?.input !== undefined,
    };
    const isSelect = statement.keyword === 'SELECT' || statement.keyword === 'WITH';
    if (parsed.streamsReply && isSelect) {
      setFormatHeaders(response, getFormat(parsed, statement));
      await streamResult(options.engine, query, response, join(options.spoolDir, `pipe-${process.pid}-${spooled++}`));
    } else {
      const isPlainSelect =
        isSelect && parsed.role === 'service' && !/\bFORMAT\s+\w+\s+SETTINGS\b[^()]*$/i.test(statement.sql);
      const run = parsed.endsWithClient ? runForClient : runToEnd;
      await sendResult(response, await run(options.engine, { ...query, isPlainSelect }), parsed, statement);
    }
  } finally {
    await spool?.remove();
  }
}

const runToEnd = (engine: Engine, request: EngineRequest) => engine.run(request);

/** Kills the statement when the signal fires. */
async function runForClient(engine: Engine, request: EngineRequest): Promise<EngineResult> {
  const mark = `/* ${randomUUID()} */`;
  let isRunning = false;
  const onGone = () => void killUntilEnded(engine, mark, () => isRunning);
  request.signal?.addEventListener('abort', onGone, { once: true });
  try {
    // false while the statement waits in the queue: the engine then drops it and nothing must be killed
    const onStart = () => {
      isRunning = true;
    };
    return await engine.run({ ...request, sql: `${mark} ${request.sql}`, onStart });
  } finally {
    isRunning = false;
    request.signal?.removeEventListener('abort', onGone);
  }
}

async function judgeStatement(
  { judge }: EngineServerOptions,
  parsed: ParsedRequest,
  { sql }: Statement,
): Promise<boolean> {
  const { readsOnly, createsIn, notForUsers } = await judge.judge(bindNames(sql, parsed.parameters));
  if (parsed.role === 'sql_user' && notForUsers !== undefined) throw refused(notForUsers);
  if ((createsIn || parsed.database) === 'default' && createsIn !== undefined)
    throw EngineException.of(497, 'Database default is in memory only: create a database and name it in the request');
  if (parsed.readsOnly && !readsOnly) {
    throw EngineException.of(
      164,
      'Cannot execute query in readonly mode. For queries over HTTP, method GET implies readonly',
    );
  }
  return readsOnly;
}

interface QueryText {
  readonly statement: Statement;
  readonly rows: Buffer;
  readonly bodyFollows: boolean;
}

const beginsInsert = (sql: string) => /^(?:\s|--[^\n]*\n|\/\*(?:(?!\*\/)[\s\S])*\*\/)*INSERT\b/i.test(sql);

async function readQuery(
  options: EngineServerOptions,
  parsed: ParsedRequest,
  request: IncomingMessage,
): Promise<QueryText> {
  const inUrl = beginsInsert(parsed.query) ? inspectStatement(parsed.query) : undefined;
  if (inUrl?.insert) {
    const rows = Buffer.from(parsed.query.slice(inUrl.insert.dataIndex));
    return { statement: inUrl, rows, bodyFollows: request.method === 'POST' };
  }
  const limit = /^\s*$/.test(parsed.query) ? 1 << 30 : options.maxQueryBytes;
  const body = request.method === 'POST' ? await readBody(request, limit) : Buffer.alloc(0);
  const bytes = parsed.query ? Buffer.concat([Buffer.from(`${parsed.query}\n`), body]) : body;
  const isInsert = beginsInsert(bytes.toString('latin1', 0, 4096));
  if (!isInsert && bytes.length > options.maxQueryBytes) {
    throw EngineException.of(62, `Query text is larger than the limit of ${options.maxQueryBytes} bytes`);
  }
  // rows may be binary: in latin1, character index equals byte index
  const dataIndex = isInsert ? inspectStatement(bytes.toString('latin1')).insert?.dataIndex : undefined;
  const statement = inspectStatement(bytes.toString('utf8', 0, dataIndex));
  return { statement, rows: bytes.subarray(dataIndex ?? bytes.length), bodyFollows: false };
}

function fromFile({ sql, insert }: Statement, path: string): string {
  if (!insert) return sql;
  const { sourceIndex, input } = insert;
  if (input) {
    const call = sql.slice(input.startIndex, input.endIndexExclusive);
    const structure = call.slice(call.indexOf('(') + 1);
    const file = `file(${quoteString(path)}, ${quoteString(input.format)}, ${structure}`;
    return sql.slice(0, input.startIndex) + file + sql.slice(input.endIndexExclusive);
  }
  return `${sql.slice(0, sourceIndex)} FROM INFILE ${quoteString(path)} ${sql.slice(sourceIndex)}`;
}

const contentTypes: [RegExp, string][] = [
  [/^JSON(Compact)?(EachRow|StringsEachRow)|^NDJSON/i, 'application/x-ndjson; charset=UTF-8'],
  [/^JSON/i, 'application/json; charset=UTF-8'],
  [/^CSV/i, 'text/csv; charset=UTF-8'],
  [/^(TSV|TabSeparated)/i, 'text/tab-separated-values; charset=UTF-8'],
  [/^(RowBinary|Native|Parquet|Arrow|ORC|Avro)/i, 'application/octet-stream'],
];

function getFormat(parsed: ParsedRequest, statement: Statement): string {
  const clause = /\bFORMAT\s+(\w+)\s*(?:SETTINGS\b[^()]*)?$/i.exec(statement.sql);
  return statement.insert ? parsed.defaultFormat : (clause?.[1] ?? parsed.defaultFormat);
}

function setFormatHeaders(response: ServerResponse, format: string): void {
  const type = contentTypes.find(([name]) => name.test(format))?.[1];
  response.setHeader('Content-Type', type ?? 'text/plain; charset=UTF-8');
  response.setHeader('X-ClickHouse-Format', format);
  response.setHeader('X-ClickHouse-Timezone', 'UTC');
  response.setHeader('X-ClickHouse-Server-Display-Name', 'cordscan-embedded');
}

async function sendResult(
  response: ServerResponse,
  result: EngineResult,
  parsed: ParsedRequest,
  statement: Statement,
): Promise<void> {
  const writes = statement.keyword === 'INSERT';
  setFormatHeaders(response, getFormat(parsed, statement));
  response.setHeader(
    'X-ClickHouse-Summary',
    JSON.stringify({
      read_rows: String(result.rowsRead),
      read_bytes: String(result.bytesRead),
      written_rows: String(writes ? result.rowsRead : 0),
      written_bytes: String(writes ? result.bytesRead : 0),
      total_rows_to_read: '0',
      result_rows: String(writes ? result.rowsRead : 0),
      result_bytes: String(result.body.length),
      elapsed_ns: String(result.elapsedNs),
    }),
  );
  const body = parsed.compressReply ? await compress(result.body) : result.body;
  if (parsed.compressReply) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Length', body.length);
  response.end(body);
}

function compress(body: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    gzip(body, { level: 1 }, (error, zipped) => (error ? reject(error) : resolve(zipped))),
  );
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=UTF-8' }).end(text);
}

function sendException(response: ServerResponse, exception: EngineException, version: string): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  response.setHeader('X-ClickHouse-Exception-Code', exception.code);
  response.writeHead(exception.httpStatus, { 'Content-Type': 'text/plain; charset=UTF-8' });
  response.end(`${exception.message.trimEnd()} (version ${version})\n`);
}
