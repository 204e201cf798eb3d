/** Errors of a route: those it declares, and those that its access level, body and parameters imply. */
import { z } from 'zod';
import type { Access } from '../read/identity/access.ts';
import type { ProblemCode } from '../terms/errors.ts';
import type { AnyRoute } from './define-route.ts';
import { hasNumberedPages } from './numbered-page.ts';

const ofAll: readonly ProblemCode[] = ['rate_limited', 'store_unavailable', 'internal'];
const ofKeys: readonly ProblemCode[] = ['invalid_api_key', 'key_revoked'];
const ofTokens: readonly ProblemCode[] = ['unauthorized', 'identity_provider_unavailable'];
const ofBodies: readonly ProblemCode[] = ['bad_query', 'payload_too_large', 'unsupported_media_type'];

const ofAccess: Readonly<Record<Access, readonly ProblemCode[]>> = {
  public: [],
  admin: ['admin_required'],
  token: ofTokens,
  credential: ofTokens,
  operator: [...ofTokens, 'operator_required'],
  key: ['unauthorized'],
};

export function listRouteErrors(route: AnyRoute): ProblemCode[] {
  const { access = 'public', base, body, errors, params, query } = route;
  const hasParameters = [params, query].some(
    (one) => !(one instanceof z.ZodObject) || Object.keys(one.shape).length > 0,
  );
  return [
    ...new Set([
      ...errors,
      ...(hasParameters ? (['bad_query'] as const) : []),
      ...(hasNumberedPages(route) ? (['result_window_too_large'] as const) : []),
      ...(body ? ofBodies : []),
      ...ofAccess[access],
      // routes without a path prefix accept any API key: their clients send keys of other services
      ...(base === '' && access === 'public' ? [] : ofKeys),
      ...ofAll,
    ]),
  ];
}
