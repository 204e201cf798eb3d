/** Says how much a caller has asked for; refuses nobody yet. @source conventions C10; specification 1.4 */
import type { Middleware } from 'koa';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

const [limit, windowSeconds] = [6_000, 60];

/** Callers are told apart by key, else by address. */
export function rateHeaders(): Middleware {
  const limiter = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  return async (ctx, next) => {
    const caller = ctx.get('X-API-Key') || String(ctx.query.apikey ?? '') || ctx.ip;
    const used = await limiter.consume(caller.slice(0, 100)).catch((over: RateLimiterRes) => over);
    for (const prefix of ['', 'X-']) {
      ctx.set(`${prefix}RateLimit-Limit`, String(limit));
      ctx.set(`${prefix}RateLimit-Remaining`, String(Math.max(0, used.remainingPoints)));
      ctx.set(`${prefix}RateLimit-Reset`, String(Math.ceil(used.msBeforeNext / 1000)));
    }
    ctx.set('RateLimit-Policy', `${limit};w=${windowSeconds};enforced=false`);
    await next();
  };
}
