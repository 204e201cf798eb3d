/** Routes onto the router: parse, handle, check the reply, send. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import Router from '@koa/router';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import type { AnyRoute } from './define-route.ts';
import type { ApiDeps } from './deps.ts';
import { ApiProblem } from './errors.ts';
import { parseInput } from './parse-input.ts';
import { OtherReply, type Trailers } from './reply.ts';

export interface MountOptions {
  /** Check every reply against its schema: in tests; a sampled share in production. */
  readonly checkedShare: number;
}

export function mountRoutes(deps: ApiDeps, routes: readonly AnyRoute[], options: MountOptions): Router {
  const router = new Router();
  for (const route of routes) {
    const handler = (ctx: Context) => serve(deps, route, ctx, options);
    for (const path of [route.base + route.path, `${route.base}${route.path}/`]) {
      if (route.methods.includes('get')) router.get(path, handler);
      if (route.methods.includes('post'))
        router.post(path, bodyParser({ enableTypes: ['form'], formLimit: '64kb' }), handler);
    }
  }
  return router;
}

async function serve(deps: ApiDeps, route: AnyRoute, ctx: Context, options: MountOptions): Promise<void> {
  const query = new URLSearchParams(ctx.querystring);
  const form = (ctx.request as { body?: unknown }).body;
  if (form && typeof form === 'object') {
    for (const [name, value] of Object.entries(form)) if (!query.has(name)) query.set(name, String(value));
  }
  const input = parseInput(route, ctx.params, query);
  if (input.ignored.length > 0)
    ctx.append('Warning', `299 - "ignored parameters: ${input.ignored.map(encodeURIComponent).join(', ')}"`);
  const reply = await route.handle(deps, input);
  if (reply instanceof OtherReply) return sendOther(route, ctx, reply);
  if (Math.random() < options.checkedShare) checkReply(deps, route, reply);
  const text = JSON.stringify(reply);
  ctx.type = 'application/json';
  ctx.set('Cache-Control', route.isSettled?.(reply, input) ? immutable : cacheControl(route));
  const index = (reply as { index?: { head: number; chainHead: number } }).index;
  if (index) {
    ctx.set('X-Index-Head', String(index.head));
    ctx.set('X-Chain-Head', String(index.chainHead));
  }
  ctx.etag = createHash('sha1').update(text).digest('base64url');
  ctx.status = 200;
  ctx.body = text;
  if (ctx.fresh) {
    ctx.status = 304;
    ctx.body = null;
  }
}

function sendOther(route: AnyRoute, ctx: Context, reply: OtherReply): void {
  ctx.set({ 'Cache-Control': cacheControl(route), ...reply.headers });
  ctx.type = reply.contentType;
  ctx.status = 200;
  if (reply.body instanceof Readable) prepareStream(ctx, reply.body, reply.trailers);
  ctx.body = reply.body;
}

/** A stream that breaks off cuts the connection, so that nobody takes what came for the whole. */
function prepareStream(ctx: Context, body: Readable, trailers: Trailers | undefined): void {
  if (ctx.method === 'HEAD') return void body.destroy();
  body.once('error', () => ctx.res.destroy());
  if (!trailers) return;
  ctx.set('Trailer', trailers.names.join(', '));
  body.once('end', () => ctx.res.addTrailers(trailers.values()));
}

/** @source RFC 8246 */
const immutable = 'public, max-age=31536000, immutable';

function cacheControl({ maxAgeSeconds }: AnyRoute): string {
  return maxAgeSeconds > 0 ? `public, max-age=${maxAgeSeconds}` : 'no-store';
}

/** A reply that breaks its schema is a fault of ours: said loudly, never sent. */
function checkReply(deps: ApiDeps, route: AnyRoute, reply: unknown): void {
  const checked = route.response.safeParse(reply);
  if (checked.success) return;
  deps.log.error({ event: 'reply_schema_broken', route: route.id, issues: checked.error.issues.slice(0, 5) });
  throw new ApiProblem('internal', 'the reply broke its own schema');
}
