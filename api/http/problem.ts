/** Converts errors to error replies (RFC 9457), and gives every request an id. */
import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { Log } from '#runtime/log.ts';
import { LargeResultError, StoreError } from '#sql/store-error.ts';
import { ApiProblem } from '../terms/errors.ts';

export function problemReplies(log: Log): Middleware {
  return async (ctx, next) => {
    const given = ctx.get('X-Request-Id');
    const requestId = /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
    ctx.set('X-Request-Id', requestId);
    try {
      await next();
      if (ctx.status === 404 && !ctx.body)
        throw new ApiProblem('not_found', `unknown endpoint ${ctx.method} ${ctx.path.slice(0, 200)}; see /docs`);
    } catch (error) {
      const problem = asProblem(error);
      if (isFailure(problem))
        log.error({ event: 'request_failed', requestId, path: ctx.path, code: problem.code, error: String(error) });
      if (isCompatiblePath(ctx) && problem.status !== 405) writeEnvelope(ctx, problem);
      else writeProblem(ctx, problem, requestId);
    }
  };
}

function writeProblem(ctx: Context, problem: ApiProblem, requestId: string): void {
  ctx.status = problem.status;
  ctx.type = 'application/problem+json';
  ctx.set('Cache-Control', 'no-store');
  const { retryAfterSeconds = 1 } = (problem.details ?? {}) as { retryAfterSeconds?: number };
  const isRetryable = problem.status === 503 || problem.status === 429;
  if (isRetryable && !ctx.response.get('Retry-After')) ctx.set('Retry-After', String(retryAfterSeconds));
  if (problem.status === 401 && problem.code !== 'admin_required') ctx.set('WWW-Authenticate', 'Bearer');
  ctx.body = JSON.stringify(problem.body(requestId));
}

/** Returns whether to log an error. `indexing` is normal until all blocks are indexed. */
const isFailure = ({ status, code }: ApiProblem): boolean => status >= 500 && code !== 'indexing';

export function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  if (error instanceof LargeResultError)
    return new ApiProblem(
      'bad_query',
      'the rows of this page contain too much data: ask for fewer rows (limit, offset)',
    );
  if (error instanceof StoreError)
    return new ApiProblem('store_unavailable', 'the database did not answer in time: try again');
  const status = (error as { status?: number }).status;
  // the router's status for methods that no path accepts
  if (status === 405 || status === 501)
    return new ApiProblem('method_not_allowed', 'this path does not accept the HTTP method of the request: see /docs');
  if (status === 415)
    return new ApiProblem(
      'unsupported_media_type',
      'the Content-Encoding or charset of the request body is not supported: send UTF-8, uncompressed or as gzip',
    );
  if (status === 400) return new ApiProblem('bad_query', 'the request body or path is malformed: check its encoding');
  if (status === 413) return new ApiProblem('payload_too_large', 'the form in the request body must not exceed 4 MB');
  return new ApiProblem(
    'internal',
    'internal error: report the requestId of this reply to the operator, whose log contains the cause',
  );
}

/** Returns whether a path belongs to the Etherscan-compatible API: `/api/v1` does, paths below it do not. */
export const isCompatiblePath = ({ path }: { readonly path: string }): boolean => compatiblePath.test(path);

const compatiblePath = /^\/(v2\/)?api\/?$|^\/api\/v1\/?$/;

/** Returns the text of an error. Clients such as ethers retry later after "rate limit". */
export const envelopeText = ({ code, detail }: Pick<ApiProblem, 'code' | 'detail'>): string =>
  code === 'rate_limited' ? `Max rate limit reached: ${detail}` : `Error! ${detail}`;

function writeEnvelope(ctx: Context, problem: ApiProblem): void {
  const result = envelopeText(problem);
  ctx.status = 200;
  ctx.set('Cache-Control', 'no-store');
  ctx.body = { status: '0', message: 'NOTOK', result };
}
