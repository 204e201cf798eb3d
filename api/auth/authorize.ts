/** The one gate before every handler. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sha256 } from 'ethers';
import type { ApiDeps } from '../deps.ts';
import { ApiProblem } from '../errors.ts';
import type { Access, Identity } from './access.ts';

/** @throws ApiProblem where the headers do not prove what the route asks for */
export async function authorize(
  deps: Pick<ApiDeps, 'settings'>,
  access: Access,
  headers: IncomingHttpHeaders,
): Promise<Identity | undefined> {
  if (access === 'public') return undefined;
  if (access !== 'admin') throw new ApiProblem('unauthorized', 'send Authorization: Bearer or X-API-Key');
  requireAdmin(deps.settings.adminToken, headers['x-admin-token']);
  return undefined;
}

/** Compares in constant time. @throws ApiProblem admin_required */
function requireAdmin(expected: string | undefined, given: string | string[] | undefined): void {
  const digest = (text: string) => Buffer.from(sha256(Buffer.from(text)).slice(2), 'hex');
  const isSame =
    typeof given === 'string' && expected !== undefined && timingSafeEqual(digest(given), digest(expected));
  if (!isSame) throw new ApiProblem('admin_required', 'send the administrator’s token as X-Admin-Token');
}
