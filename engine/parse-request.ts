import type { IncomingMessage } from 'node:http';
import { isAllowedSetting } from './access/allowed.ts';
import type { EngineRole } from './engine.ts';
import { EngineException } from './exception.ts';

export interface ParsedRequest {
  /** SQL in the URL. The body may continue it. */
  readonly query: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly settings: ReadonlyMap<string, string>;
  readonly database: string;
  readonly role: EngineRole;
  readonly defaultFormat: string;
  readonly queryId: string | undefined;
  /** True for GET, HEAD, and the setting readonly=1 or 2. */
  readonly readsOnly: boolean;
  /**
   * Kills the statement when the client disconnects. @source ClickHouse docs,
   * cancel_http_readonly_queries_on_client_close
   */
  readonly endsWithClient: boolean;
  readonly compressReply: boolean;
  /** True for wait_end_of_query=0: rows are sent before the result is complete. */
  readonly streamsReply: boolean;
}

const reserved = new Set(
  `query database default_format query_id user password quota_key stacktrace compress decompress role role_separator
  session_id session_timeout session_check close_session buffer_size wait_end_of_query client_protocol_version
  http_write_exception_in_output_format enable_http_compression send_progress_in_http_headers
  http_headers_progress_interval_ms cancel_http_readonly_queries_on_client_close readonly`.split(/\s+/),
);

/**
 * @throws EngineException 36 for sessions, native compression or an invalid format name, 511 for an unknown role, 497
 * for a setting that is not allowed
 */
export function parseRequest(request: IncomingMessage): ParsedRequest {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const header = (name: string) => request.headers[name]?.toString();
  const parameters = new Map<string, string>();
  const settings = new Map<string, string>();
  for (const [name, value] of searchParams) {
    if (name.startsWith('param_')) parameters.set(name.slice(6), value);
    else if (!reserved.has(name)) settings.set(settingName(name), value);
  }
  assertAvailable(searchParams);
  const readsOnly = isReadOnly(request.method, searchParams);
  return {
    query: searchParams.get('query') ?? '',
    parameters,
    settings,
    database: searchParams.get('database') ?? header('x-clickhouse-database') ?? 'default',
    role: roleName(searchParams.get('role') ?? 'service'),
    defaultFormat: formatName(searchParams.get('default_format') ?? header('x-clickhouse-format') ?? 'TabSeparated'),
    queryId: searchParams.get('query_id') ?? header('x-clickhouse-query-id'),
    readsOnly,
    endsWithClient: readsOnly && searchParams.get('cancel_http_readonly_queries_on_client_close') === '1',
    streamsReply: searchParams.get('wait_end_of_query') === '0',
    compressReply:
      searchParams.get('enable_http_compression') === '1' && /\bgzip\b/.test(header('accept-encoding') ?? ''),
  };
}

function isReadOnly(method: string | undefined, searchParams: URLSearchParams): boolean {
  return method === 'GET' || method === 'HEAD' || Number(searchParams.get('readonly') ?? 0) > 0;
}

function assertAvailable(searchParams: URLSearchParams): void {
  if (searchParams.has('session_id')) throw EngineException.of(36, 'Sessions are not supported: remove session_id');
  for (const name of ['compress', 'decompress']) {
    if (searchParams.get(name) === '1')
      throw EngineException.of(36, `${name}=1 is not supported: use Content-Encoding gzip`);
  }
}

/** @source ClickHouse docs, HTTP interface, parameter role */
function roleName(name: string): EngineRole {
  if (name !== 'service' && name !== 'sql_user') throw EngineException.of(511, 'The role must be service or sql_user');
  return name;
}

/** Rejects an invalid format name, because the name becomes part of the statement. */
function formatName(name: string): string {
  if (!/^\w{1,60}$/.test(name)) throw EngineException.of(36, 'A format name must be 1 to 60 letters, digits or _');
  return name;
}

function settingName(name: string): string {
  if (!isAllowedSetting(name))
    throw EngineException.of(497, `Setting ${JSON.stringify(name.slice(0, 60))} is not allowed over HTTP`);
  return name;
}
