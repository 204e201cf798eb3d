import { Stream } from 'node:stream';
import cors from '@koa/cors';
import type Router from '@koa/router';
import Koa from 'koa';
import compress from 'koa-compress';
import helmet from 'koa-helmet';
import { isWatcherAllowed } from '#runtime/budgets/network.ts';
import { drainBody } from '#runtime/request-body.ts';
import { maxStallMs } from '#runtime/response-end.ts';
import { pause } from '#runtime/shutdown.ts';
import type { ApiDeps } from './deps.ts';
import { admission } from './http/admission.ts';
import { useOwnErrorTexts } from './http/error-texts.ts';
import replies from './http/example-replies.json' with { type: 'json' };
import { type ExampleSubjects, exampleReader } from './http/examples.ts';
import { acceptedHeaders, exposedHeaders } from './http/exposed-headers.ts';
import type { Metrics } from './http/metrics.ts';
import { type MountOptions, mountRoutes } from './http/mount-routes.ts';
import { openApiDocument } from './http/openapi.ts';
import { problemReplies } from './http/problem.ts';
import { apiReadiness } from './http/readiness.ts';
import type { ServicePathName } from './http/service-paths.ts';
import { docsPage } from './pages/docs/docs-page.ts';
import { pages } from './pages/index.ts';
import { type MountedPages, mountPages } from './pages/mount-pages.ts';
import { routes } from './routes/index.ts';

const healthMs = 1_000;

interface ConnectionError {
  readonly code?: string;
  readonly syscall?: string;
}

/**
 * Returns whether the client disconnected. Another server's broken reply has the code ECONNRESET too, but no system
 * call.
 */
function isClientGone({ code, syscall }: ConnectionError): boolean {
  if (code === 'ERR_STREAM_PREMATURE_CLOSE') return true;
  return syscall !== undefined && (code === 'ECONNRESET' || code === 'EPIPE');
}

export function createApp(deps: ApiDeps, options: MountOptions): Koa {
  useOwnErrorTexts();
  const { proxyHops } = deps.settings.rates;
  const app = new Koa({ proxy: proxyHops > 0, maxIpsCount: proxyHops });
  app.on('error', (error: ConnectionError) => {
    // clients may disconnect at any time, so this is not logged
    if (!isClientGone(error)) deps.log.error({ event: 'http_error', error: String(error) });
  });
  useTransport(app);
  app.use(recordReplies(deps.metrics));
  app.use(problemReplies(deps.log));
  app.use(admission(deps.admission));
  const router = mountRoutes(deps, routes, options);
  const mounted = mountPages(router, deps, pages, options);
  mountServicePaths(router, deps, mounted, options);
  app.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(await mounted.showForm(ctx, error))) throw error;
    }
  });
  app.use(router.routes());
  app.use(async (ctx, next) => {
    await next();
    if (ctx.method === 'OPTIONS' && ctx.status === 200 && !ctx.body) ctx.status = 204;
  });
  app.use(router.allowedMethods({ throw: true }));
  app.use((ctx, next) => (mounted.showAbsence(ctx) ? undefined : next()));
  return app;
}

function useTransport(app: Koa): void {
  app.use(async (ctx, next) => {
    await next();
    await drainBody(ctx.req, ctx.res);
  });
  app.use(
    helmet({ contentSecurityPolicy: { directives: { 'default-src': ["'none'"], 'style-src': ["'unsafe-inline'"] } } }),
  );
  app.use(
    cors({
      origin: '*',
      maxAge: 86_400,
      exposeHeaders: Object.keys(exposedHeaders),
      allowMethods: 'GET,HEAD,POST,PATCH,DELETE,OPTIONS',
      allowHeaders: acceptedHeaders.join(','),
    }),
  );
  app.use((ctx, next) => {
    // RFC 9110, 12.5.3: do not compress if the client accepts none of the encodings
    if (!ctx.acceptsEncodings('gzip', 'deflate', 'br', 'identity')) ctx.compress = false;
    return next();
  });
  app.use(compress({ threshold: 2048 }));
  app.use(async ({ res, response }, next) => {
    await next();
    // exports need no timeout: they keep no reply in memory while they wait for the client. Event streams do have one,
    // because they send something every 15 s.
    const isExport = response.body instanceof Stream && response.type !== 'text/event-stream';
    if (!isExport) res.setTimeout(maxStallMs);
  });
}

function mountServicePaths(router: Router, deps: ApiDeps, mounted: MountedPages, options: MountOptions): void {
  const { watchers, proxyHops } = deps.settings.rates;
  const documents = documentReader(deps);
  const readiness = options.readiness ?? apiReadiness(deps);
  const handlers: Readonly<Record<ServicePathName, (ctx: Koa.Context) => Promise<void>>> = {
    '/healthz': async (ctx) => {
      // a restart does not fix a slow or missing database, so only /readyz reports it
      const known = deps.snapshots.current().then((state) => state !== undefined);
      const isIndexed = await Promise.race([known.catch(() => true), pause(healthMs).then(() => true)]);
      ctx.status = isIndexed ? 200 : 503;
      ctx.body = { status: isIndexed ? 'ok' : 'starting' };
    },
    '/readyz': async (ctx) => {
      const { isReady, body } = await readiness.report();
      ctx.status = isReady ? 200 : 503;
      ctx.set('Cache-Control', 'no-store');
      ctx.body = body;
    },
    '/metrics': async (ctx) => {
      if (!isWatcherAllowed(watchers, ctx.req.socket.remoteAddress ?? '', ctx.headers, proxyHops)) return;
      ctx.type = deps.metrics.registry.contentType;
      ctx.body = await deps.metrics.text(deps);
    },
    '/api/v1/openapi.json': async (ctx) => {
      ctx.type = 'application/json';
      ctx.body = (await documents()).openApi;
    },
    '/docs': async (ctx) => {
      mounted.show(ctx, (await documents()).page);
    },
  };
  for (const [path, handle] of Object.entries(handlers)) router.get(path, handle);
}

function recordReplies(metrics: Metrics): Koa.Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const route = (ctx.state.route as string | undefined) ?? 'other';
    metrics.recordRequest(route, ctx.status, (performance.now() - startedAt) / 1000);
    const admitted = ctx.state.admitted as { bucket: { tier: string } } | undefined;
    if (ctx.status === 429) metrics.recordRefusal(admitted?.bucket.tier ?? 'anonymous');
  };
}

function documentReader(deps: ApiDeps) {
  const examples = exampleReader(deps);
  const build = (subjects: ExampleSubjects) => ({
    subjects,
    openApi: JSON.stringify(openApiDocument(routes, subjects, replies)),
    page: docsPage(routes, { subjects, replies, origin: deps.settings.origin }, deps.settings),
  });
  let documents: ReturnType<typeof build> | undefined;
  return async () => {
    const subjects = await examples();
    if (documents?.subjects !== subjects) documents = build(subjects);
    return documents;
  };
}
