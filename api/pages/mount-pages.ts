import { createHash } from 'node:crypto';
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { Log } from '#runtime/log.ts';
import type { RenderedReply } from '../cache/reply-cache.ts';
import type { MountOptions } from '../http/mount-routes.ts';
import { asProblem } from '../http/problem.ts';
import { type ReplyCacheDeps, readCachedReply } from '../http/reply-of-state.ts';
import { type CoinPriceDeps, readCoinPrice } from '../read/market/recent-price.ts';
import type { LabelDeps } from '../read/registry/address-labels.ts';
import { readAddressNames } from '../read/registry/address-names.ts';
import { ApiProblem } from '../terms/errors.ts';
import { loadAssets } from './assets.ts';
import { cardPath, drawCard } from './card/draw-card.ts';
import { readCard } from './card/read-card.ts';
import { type FeedDeps, mountFeeds } from './feeds.ts';
import { type FrameParts, frame } from './frame.ts';
import { nameAddresses } from './name-addresses.ts';
import { type AnyPage, type PageView, Redirect } from './page.ts';
import { FormProblem } from './parts/form-problem.ts';
import { hasWorth, priceAmounts } from './parts/worth.ts';
import { withPinnedSnapshot } from './pinned-snapshots.ts';
import { problemView } from './problem-page.ts';
import { mountSiteFiles } from './site-files.ts';
import { addVisitor, type ChargeDeps, type VisitorDeps } from './visitor.ts';

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Pages with longer URLs are not cached, because they would evict frequent pages. */
const maxCachedUrl = 300;

/** @source RFC 8246 */
const immutable = 'public, max-age=31536000, immutable';

type ServeDeps = ReplyCacheDeps &
  LabelDeps &
  FeedDeps &
  CoinPriceDeps &
  ChargeDeps & { readonly log: Log; readonly settings: FrameParts['settings'] };

export interface MountedPages {
  show(ctx: Context, view: PageView): void;
  /** Shows an error page to browsers. @returns false for other clients */
  showAbsence(ctx: Context): boolean;
  /** Shows browsers an error page with the posted form. @returns false for other clients and paths */
  showForm(ctx: Context, error: unknown): Promise<boolean>;
}

export function mountPages<D extends ServeDeps>(
  router: Router,
  deps: D,
  pages: readonly AnyPage<D & VisitorDeps>[],
  options: MountOptions,
): MountedPages {
  const assets = loadAssets();
  const nav = pages.flatMap((page) => (page.nav ? [{ name: page.nav, path: page.path }] : []));
  const parts: FrameParts = { assets, nav: [...nav, { name: 'API', path: '/docs' }], settings: deps.settings };
  for (const asset of Object.values(assets)) {
    router.get(asset.path, (ctx) => {
      ctx.set('Cache-Control', immutable);
      ctx.type = asset.type;
      ctx.body = asset.body;
    });
  }
  mountSiteFiles(router, deps, assets, pages);
  mountFeeds(router, deps);
  for (const page of pages) router.get(page.path, (ctx) => serve(deps, parts, page, ctx, options));
  for (const page of pages) router.get(cardPath(page.path), (ctx) => serveCard(deps, page, ctx));
  return {
    show: (ctx, view) => send(ctx, inFrame(parts, ctx, view, 'public, max-age=60'), 200),
    showAbsence: (ctx) => {
      const isBrowser = ctx.method === 'GET' && ctx.accepts('json', 'html') === 'html';
      if (!isBrowser || /^\/(api|v\d)(\/|$)/.test(ctx.path)) return false;
      fail(parts, ctx, new ApiProblem('not_found', 'No page exists at this URL.'));
      return true;
    },
    showForm: async (ctx, error) => {
      const page = pages.find(({ path, postedForm }) => postedForm && path === ctx.path);
      if (!page?.postedForm || ctx.method !== 'POST' || ctx.accepts('json', 'html') !== 'html') return false;
      const problem = asProblem(error);
      if (problem.status >= 500) logFailure(deps, page, ctx, error);
      const form = await page.postedForm(addVisitor(deps, ctx)(deps), postedValues(ctx)).catch((formError: unknown) => {
        logFailure(deps, page, ctx, formError);
      });
      if (!form) return false;
      fail(parts, ctx, new FormProblem(problem.detail, form, problem.code), page);
      return true;
    },
  };
}

function logFailure({ log }: ServeDeps, { id }: AnyPage, { path }: Context, error: unknown): void {
  log.error({ event: 'page_failed', page: id, path, code: asProblem(error).code, error: String(error) });
}

function postedValues({ request }: Context): URLSearchParams {
  const values = Object.entries((request.body ?? {}) as Record<string, unknown>);
  return new URLSearchParams(values.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

async function serve<D extends ServeDeps>(
  deps: D,
  parts: FrameParts,
  page: AnyPage<D & VisitorDeps>,
  ctx: Context,
  { cachesReplies }: MountOptions,
): Promise<void> {
  ctx.state.route = `page ${page.id}`;
  try {
    const isCached = cachesReplies && page.maxAgeSeconds > 0 && ctx.url.length <= maxCachedUrl;
    const make = () => render(deps, parts, page, ctx);
    const reply = await (isCached ? readCachedReply(deps, `page ${ctx.url}`, page.maxAgeSeconds, make) : make());
    if (!(reply instanceof Redirect)) return send(ctx, reply, 200);
    ctx.set('Cache-Control', 'no-store');
    ctx.redirect(reply.location);
  } catch (error) {
    const problem = asProblem(error);
    if (problem.status >= 500) logFailure(deps, page, ctx, error);
    fail(parts, ctx, problem, page);
  }
}

async function readView<D extends ServeDeps>(
  deps: D,
  page: AnyPage<D & VisitorDeps>,
  ctx: Context,
): Promise<PageView | Redirect> {
  const query = new URLSearchParams(ctx.querystring);
  const now = Math.floor(Date.now() / 1000);
  const coin = deps.settings.network.nativeCurrency.symbol;
  const request = { params: ctx.params as Record<string, string>, query, url: ctx.url, now, coin };
  const visited = addVisitor(deps, ctx);
  const make = (seen: D) => page.handle(visited(seen), request);
  return page.isUnpinned ? make(deps) : withPinnedSnapshot(deps, make);
}

async function serveCard<D extends ServeDeps>(deps: D, page: AnyPage<D & VisitorDeps>, ctx: Context): Promise<void> {
  ctx.state.route = 'card';
  const view = await readView(deps, page, ctx);
  if (view instanceof Redirect) throw new ApiProblem('not_found', 'this page has no preview picture');
  ctx.set('Cache-Control', 'public, max-age=300');
  ctx.type = 'image/png';
  ctx.body = await drawCard(readCard(view), deps.settings.network.chainName);
}

async function render<D extends ServeDeps>(
  deps: D,
  parts: FrameParts,
  page: AnyPage<D & VisitorDeps>,
  ctx: Context,
): Promise<RenderedReply | Redirect> {
  const view = await readView(deps, page, ctx);
  if (view instanceof Redirect) return view;
  const coin = deps.settings.network.nativeCurrency.symbol;
  const cacheControl = page.maxAgeSeconds > 0 ? `public, max-age=${page.maxAgeSeconds}` : 'no-store';
  const [named, price] = await Promise.all([
    nameAddresses(view.body, coin, (addresses) => readAddressNames(deps, addresses)),
    hasWorth(view.body) ? readCoinPrice(deps) : undefined,
  ]);
  return inFrame(parts, ctx, { ...view, body: priceAmounts(named, price) }, cacheControl, ctx.url);
}

function fail(parts: FrameParts, ctx: Context, problem: ApiProblem, page?: AnyPage): void {
  if (problem.status === 503) ctx.set('Retry-After', '1');
  const view = problemView(problem, String(ctx.response.get('X-Request-Id')), ctx.url, page);
  send(ctx, inFrame(parts, ctx, view, 'no-store'), problem.status);
}

/** @param shown URL of the page in the preview picture */
function inFrame(
  parts: FrameParts,
  ctx: Context,
  view: PageView,
  cacheControl: string,
  shown: string = '/',
): RenderedReply {
  const searched = ctx.path === '/search' ? (new URLSearchParams(ctx.querystring).get('q') ?? '').slice(0, 100) : '';
  const text = frame(parts, view, { path: ctx.path, card: cardPath(shown), query: searched });
  const headers = { 'Cache-Control': cacheControl, 'Content-Security-Policy': pagePolicy };
  const etag = createHash('sha1').update(text).digest('base64url');
  return { text, contentType: 'text/html; charset=utf-8', headers, etag };
}

function send(ctx: Context, reply: RenderedReply, status: number): void {
  ctx.set(reply.headers);
  ctx.status = status;
  ctx.type = reply.contentType;
  ctx.etag = reply.etag;
  ctx.body = reply.text;
  if (status === 200 && ctx.fresh) {
    ctx.status = 304;
    ctx.body = null;
  }
}
