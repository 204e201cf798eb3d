/** Who may speak to the embedded engine: processes of this machine that can read its password, and no web page. */
import type { IncomingMessage } from 'node:http';
import { isSamePassword } from '#runtime/engine-password.ts';
import { EngineException } from './exception.ts';

/** Names by which a machine calls itself; a page of another name that was made to resolve to this machine sends its own. */
const loopback = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

/** @throws EngineException 194 without a password, 516 for a wrong one */
export function assertCaller({ headers }: IncomingMessage, password: string): void {
  const given = passwordOf(headers);
  if (given === undefined)
    throw EngineException.of(194, 'A password is needed: the file clickhouse-password in the data directory holds it');
  if (!isSamePassword(given, password)) throw EngineException.of(516, 'Authentication failed: the password is wrong');
}

/** @throws EngineException 497 for a web page, or a name in Host that is not of this machine */
export function assertNoPage({ host, origin }: IncomingMessage['headers']): void {
  if (origin !== undefined) throw EngineException.of(497, 'Requests of web pages are refused');
  if (!loopback.test(host ?? ''))
    throw EngineException.of(497, 'Requests are taken by the names of this machine alone');
}

/** From HTTP Basic, or ClickHouse's own header. @source ClickHouse docs, HTTP interface; RFC 7617 */
function passwordOf({ authorization, 'x-clickhouse-key': key }: IncomingMessage['headers']): string | undefined {
  if (key !== undefined) return String(key);
  const basic = /^Basic\s+(\S+)$/i.exec(authorization ?? '')?.[1];
  if (basic === undefined) return undefined;
  const pair = Buffer.from(basic, 'base64').toString();
  return pair.slice(pair.indexOf(':') + 1);
}
