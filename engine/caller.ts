import type { IncomingMessage } from 'node:http';
import { isSamePassword } from '#runtime/engine-password.ts';
import { EngineException } from './exception.ts';

/** Accepted Host headers. Another host may be DNS rebinding: a web page whose name resolves to this machine. */
const loopback = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

/** @throws EngineException 194 for a missing password, 516 for a wrong password */
export function assertCaller({ headers }: IncomingMessage, password: string): void {
  const given = readPasswordHeader(headers);
  if (given === undefined)
    throw EngineException.of(194, 'Password required: it is in the file clickhouse-password in DATA_DIR');
  if (!isSamePassword(given, password)) throw EngineException.of(516, 'Authentication failed: the password is wrong');
}

/**
 * Rejects requests that web pages send.
 * @throws EngineException 497 for an Origin header, or a Host other than loopback
 */
export function assertNoPage({ host, origin }: IncomingMessage['headers']): void {
  if (origin !== undefined) throw EngineException.of(497, 'Requests with an Origin header are not accepted');
  if (!loopback.test(host ?? '')) throw EngineException.of(497, 'Host must be 127.0.0.1, localhost or [::1]');
}

/** Reads the password from HTTP Basic or X-ClickHouse-Key. @source ClickHouse docs, HTTP interface; RFC 7617 */
function readPasswordHeader({
  authorization,
  'x-clickhouse-key': key,
}: IncomingMessage['headers']): string | undefined {
  if (key !== undefined) return String(key);
  const basic = /^Basic\s+(\S+)$/i.exec(authorization ?? '')?.[1];
  if (basic === undefined) return undefined;
  const pair = Buffer.from(basic, 'base64').toString();
  return pair.slice(pair.indexOf(':') + 1);
}
