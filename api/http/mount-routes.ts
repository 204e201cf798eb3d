import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import bodyParser from 'koa-bodyparser';
import type { Log } from '#runtime/log.ts';
import type { Readiness } from '#runtime/metrics/readiness.ts';
import { closeSignal } from '#runtime/response-end.ts';
import type { RenderedReply } from '../cache/reply-cache.ts';
import type { ChainDeps } from '../read/reader-deps.ts';
import { ApiProblem } from '../terms/errors.ts';
import {
  type AdmissionDeps,
  admitKeyOfForm,
  charge,
  chargeStoredBytes,
  getBudgetName,
  getCaller,
  getRateLimitStatus,
  runAfterBody,
} from './admission.ts';
import { authorize } from './authorize.ts';
import { inBodyPlace } from './body-places.ts';
import type { AnyRoute } from './define-route.ts';
import { type AnyInput, handlePage } from './numbered-page.ts';
import { parseInput } from './parse-input.ts';
import { asProblem, isCompatiblePath } from './problem.ts';
import { readBody } from './read-body.ts';
import { HeadedReply, OtherReply, type Trailers } from './reply.ts';
import { type ReplyCacheDeps, readCachedReply } from './reply-of-state.ts';
import { listRouteErrors } from './route-errors.ts';

export interface MountOptions {
  /** Share of replies validated against their schema: 1 (all) in tests, 0.01 in production. */
  readonly checkedShare: number;
  /** Cache replies while the chain state is unchanged. False in tests that change rows. */
  readonly cachesReplies: boolean;
  /** For /readyz. The default checks use the database connection of requests. */
  readonly readiness?: Readiness;
}

interface ServeDeps extends ReplyCacheDeps {
  readonly admission: AdmissionDeps;
  readonly log: Log;
  readonly settings: ChainDeps['settings'] & { readonly adminToken: string | undefined };
}

/** Forms contain source code to verify. Etherscan accepts about 0.5 MB, but large projects need more. */
const parseForm = bodyParser({ enableTypes: ['form'], formLimit: '4mb' });
/** Maximum fields of a form. Millions of empty fields fit into 4 MB, and parsing them would block the process. */
const maxFormFields = 1_000;

const readForm =
  (deps: AdmissionDeps): Middleware =>
  async (ctx, next) => {
    await inBodyPlace(ctx, () => parseForm(ctx, async () => {})).catch((error: { status?: number }) => {
      if (error.status !== undefined) throw error;
      throw new ApiProblem('bad_query', 'the request body is incomplete, or its compressed data is invalid');
    });
    if (getForm(ctx).split('&', maxFormFields + 1).length > maxFormFields)
      throw new ApiProblem('payload_too_large', `a form must have at most ${maxFormFields} fields`);
    if (await admitKeyOfForm(deps, ctx, ctx.request.body)) await next();
  };

export function mountRoutes<D extends ServeDeps>(
  deps: D,
  routes: readonly AnyRoute<D>[],
  options: MountOptions,
): Router {
  // case-sensitive, like the comparisons in admission.ts and problem.ts
  const router = new Router({ sensitive: true });
  const form = readForm(deps.admission);
  for (const route of routes) {
    const handler = createHandler(deps, route, options);
    const paths = [route.base + route.path, `${route.base}${route.path}/`];
    for (const method of route.methods) {
      if (method === 'post' && !route.body) router.post(paths, form, handler);
      else router[method](paths, handler);
    }
  }
  return router;
}

function createHandler<D extends ServeDeps>(deps: D, route: AnyRoute<D>, options: MountOptions): Middleware {
  return async (ctx) => {
    try {
      await serve(deps, route, ctx, options);
    } catch (error) {
      throw checkDeclared(deps, route, error, options);
    }
  };
}

/** Logs an error code that the route does not declare. @returns the error; in tests, an error that contains the code */
function checkDeclared({ log }: ServeDeps, route: AnyRoute, error: unknown, { checkedShare }: MountOptions): unknown {
  const { code } = asProblem(error);
  if (isCompatiblePath({ path: route.base + route.path }) || listRouteErrors(route).includes(code)) return error;
  log.error({ event: 'undeclared_error', route: route.id, code });
  return checkedShare < 1 ? error : new Error(`${route.id} replied with the error ${code}, which it does not declare`);
}

async function serve<D extends ServeDeps>(
  deps: D,
  route: AnyRoute<D>,
  ctx: Context,
  options: MountOptions,
): Promise<void> {
  ctx.state.route = route.id;
  if (!(await charge(deps.admission, ctx, (route.cost ?? 1) - 1))) return;
  const input = await readInput(deps, route, ctx);
  const reply = () => respond(deps, route, { ctx, input }, options);
  return route.hasOwnQueue ? reply() : runAfterBody(ctx, reply);
}

async function respond<D extends ServeDeps>(
  deps: D,
  route: AnyRoute<D>,
  { ctx, input }: { readonly ctx: Context; readonly input: Awaited<ReturnType<typeof readInput>> },
  options: MountOptions,
): Promise<void> {
  if (input.ignored.length > 0) ctx.append('Warning', `299 - "ignored parameters: ${listNames(input.ignored)}"`);
  const isCached = options.cachesReplies && route.maxAgeSeconds > 0 && !route.body && !route.access;
  const make = () => render(deps, route, input, options);
  const key = () => `${route.id} ${JSON.stringify(input.params)} ${JSON.stringify(input.query)}`;
  const reply = await (isCached ? readCachedReply(deps, key(), route.maxAgeSeconds, make) : make());
  if (reply instanceof OtherReply) return sendStream(route, ctx, reply);
  ctx.set(reply.headers);
  ctx.type = reply.contentType;
  ctx.etag = reply.etag;
  ctx.status = reply.status ?? route.successStatus ?? 200;
  ctx.body = reply.text;
  if (ctx.fresh) {
    ctx.status = 304;
    ctx.body = null;
  }
}

async function readInput<D extends ServeDeps>(deps: D, route: AnyRoute<D>, ctx: Context) {
  const { headers } = ctx;
  const authority = authorize({
    access: route.access ?? 'public',
    caller: getCaller(ctx),
    toleratesAnyKey: route.base === '',
    adminToken: { expected: deps.settings.adminToken, given: headers['x-admin-token'] },
  });
  return {
    ...parseInput(route, ctx.params, readQuery(ctx), deps.settings.chainId),
    headers,
    ...authority,
    address: ctx.ip,
    standing: getRateLimitStatus(ctx),
    caller: getBudgetName(ctx),
    get gone() {
      return closeSignal(ctx.res);
    },
    keep: (bytes: number) => chargeStoredBytes(deps.admission, ctx, bytes),
    charge: (cost: number) => charge(deps.admission, ctx, cost),
    body: await readRouteBody(deps, route, ctx),
  };
}

async function readRouteBody<D extends ServeDeps>(deps: D, { body }: AnyRoute<D>, ctx: Context): Promise<unknown> {
  return body && inBodyPlace(ctx, () => readBody(ctx.req, body, deps));
}

/** Returns the form in the request body; empty if there is none. */
function getForm(ctx: Context): string {
  const { rawBody } = ctx.request as { rawBody?: unknown };
  return typeof rawBody === 'string' ? rawBody : '';
}

/** Reads the query and the form body. The query takes precedence; for /api, names are case-insensitive. */
function readQuery(ctx: Context): URLSearchParams {
  const query = new URLSearchParams(ctx.querystring);
  const toKey = (name: string) => (isCompatiblePath(ctx) ? name.toLowerCase() : name);
  const given = new Set([...query.keys()].map(toKey));
  for (const [name, value] of new URLSearchParams(getForm(ctx))) if (!given.has(toKey(name))) query.append(name, value);
  return query;
}

function listNames(given: readonly string[]): string {
  const names = given.slice(0, 10).map((name) => encodeURIComponent([...name].slice(0, 60).join('')));
  return given.length > names.length ? `${names.join(', ')} and ${given.length - names.length} more` : names.join(', ');
}

async function render<D extends ServeDeps>(
  deps: D,
  route: AnyRoute<D>,
  input: AnyInput,
  options: MountOptions,
): Promise<RenderedReply | OtherReply> {
  const made = await handlePage(deps, route, input);
  if (made instanceof OtherReply) {
    if (typeof made.body !== 'string' || made.status !== 200) return made;
    // compression would change the digest
    const mayCompress = made.headers['Repr-Digest'] === undefined;
    const headers = { 'Cache-Control': cacheControl(route) + (mayCompress ? '' : ', no-transform'), ...made.headers };
    return { text: made.body, contentType: made.contentType, headers, etag: computeEtag(made.body) };
  }
  const reply = made instanceof HeadedReply ? made.value : made;
  if (Math.random() < options.checkedShare) checkReply(deps, route, reply);
  const text = JSON.stringify(reply);
  const index = (reply as { index?: { head: number; chainHead: number } }).index;
  const headers = {
    'Cache-Control': cacheControl(route),
    ...(index ? { 'X-Index-Head': String(index.head), 'X-Chain-Head': String(index.chainHead) } : {}),
    ...(made instanceof HeadedReply ? made.headers : {}),
  };
  const status = route.getStatusCode && { status: route.getStatusCode(reply) };
  return { text, contentType: 'application/json', headers, etag: computeEtag(text), ...status };
}

function computeEtag(text: string): string {
  return createHash('sha1').update(text).digest('base64url');
}

function sendStream(route: AnyRoute, ctx: Context, reply: OtherReply): void {
  ctx.set({ 'Cache-Control': cacheControl(route), ...reply.headers });
  ctx.type = reply.contentType;
  ctx.status = reply.status;
  if (ctx.response.get('ETag') && ctx.fresh) {
    if (reply.body instanceof Readable) reply.body.destroy();
    ctx.status = 304;
    ctx.body = null;
    return;
  }
  if (reply.body instanceof Readable) prepareStream(ctx, reply.body, reply.trailers);
  ctx.body = reply.body;
}

/** Closes the connection if the stream fails, so that no client takes a partial body for a complete one. */
function prepareStream(ctx: Context, body: Readable, trailers: Trailers | undefined): void {
  if (ctx.method === 'HEAD') return void body.destroy();
  body.once('error', () => ctx.res.destroy());
  if (!trailers) return;
  ctx.set('Trailer', trailers.names.join(', '));
  body.once('end', () => ctx.res.addTrailers(trailers.values()));
}

function cacheControl({ maxAgeSeconds }: AnyRoute): string {
  return maxAgeSeconds > 0 ? `public, max-age=${maxAgeSeconds}` : 'no-store';
}

function checkReply(deps: ServeDeps, route: AnyRoute, reply: unknown): void {
  const checked = route.response.safeParse(reply);
  if (checked.success) return;
  deps.log.error({ event: 'reply_schema_broken', route: route.id, issues: checked.error.issues.slice(0, 5) });
  throw new ApiProblem(
    'internal',
    'the service made a reply that does not match its schema: report the requestId to the operator',
  );
}
