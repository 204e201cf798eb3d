/** Finds out who asks and whether they may ask for more, before anything else is done for them. */
import { availableParallelism } from 'node:os';
import type { Context, Middleware } from 'koa';
import PQueue from 'p-queue';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { hashKey, isWellFormedKey } from '../auth/api-key.ts';
import { type Caller, type Credentials, findCaller } from '../auth/caller.ts';
import type { KeyUsage } from '../auth/key-usage.ts';
import { ApiProblem } from '../errors.ts';
import { isCompatiblePath } from './problem.ts';
import { type Bucket, bucketOf, networkOf, type RateTiers, type Standing } from './rate-tiers.ts';

export interface AdmissionDeps {
  readonly credentials: Credentials;
  readonly rates: RateTiers;
  readonly usage: KeyUsage;
}

interface Admitted {
  readonly caller: Caller;
  readonly bucket: Bucket;
  /** Of the request so far. */
  cost: number;
  /** Of the caller's budget after it. */
  standing?: Standing;
}

/** Keys that look right and are nobody's: so many a second from one network are looked up. */
const guessesPerSecond = 20;
/** Anonymous requests that wait for their turn. */
const mostWaiting = 100;
const uncounted = new Set(['/healthz', '/readyz', '/metrics']);

export function admission(deps: AdmissionDeps): Middleware {
  const inTurn = turnsOf(deps.rates);
  const guesses = new RateLimiterMemory({ points: guessesPerSecond, duration: 1 });
  return async (ctx, next) => {
    if (uncounted.has(ctx.path)) return next();
    const caller = await callerOf(deps, ctx, guesses);
    const admitted: Admitted = { caller, bucket: bucketOf(caller, ctx.ip), cost: 0 };
    ctx.state.admitted = admitted;
    try {
      if (await charge(deps, ctx, 1)) await inTurn(ctx, admitted.bucket, next);
    } finally {
      if (caller.key?.fault === undefined && caller.key) deps.usage.note(caller.key.value.key.id, admitted.cost);
    }
  };
}

/**
 * Where budgets are enforced, anonymous callers wait for each other and never for long: what they ask for, however many they
 * are, leaves room for those who sent a credential. A stream that has begun counts no more; who sends a body, perhaps slowly,
 * takes nobody's turn.
 */
function turnsOf({ settings }: RateTiers): (ctx: Context, bucket: Bucket, work: () => Promise<void>) => Promise<void> {
  const turns = new PQueue({ concurrency: 2 * availableParallelism() });
  return async ({ method }, { tier }, work) => {
    const isBodiless = method === 'GET' || method === 'HEAD';
    if (settings.mode !== 'enforce' || tier !== 'anonymous' || !isBodiless) return work();
    if (turns.size >= mostWaiting) throw new ApiProblem('rate_limited', 'too many callers without a key ask at once');
    await turns.add(work);
  };
}

/** Who sent this request. */
export const admittedCaller = (ctx: Context): Caller => (ctx.state.admitted as Admitted).caller;

/** What is left of its caller's budget. */
export const admittedStanding = (ctx: Context): Standing | undefined => (ctx.state.admitted as Admitted).standing;

/**
 * Counts a further cost of the request. @returns false where the caller was refused, and the reply is written
 * @throws ApiProblem rate_limited where the interface has no answer of its own for it
 */
export async function charge({ rates }: Pick<AdmissionDeps, 'rates'>, ctx: Context, cost: number): Promise<boolean> {
  const admitted = ctx.state.admitted as Admitted;
  const standing = await rates.charge(admitted.bucket, cost);
  ctx.set(rates.headers(standing));
  admitted.cost += cost;
  admitted.standing = standing;
  if (!standing.isRefused) return true;
  if (!writeOwnRefusal(ctx)) {
    const { limit, resetSeconds } = standing;
    const detail = `${limit} requests a minute are allowed to ${admitted.bucket.tier} callers; go on in ${resetSeconds} s`;
    throw new ApiProblem('rate_limited', detail);
  }
  return false;
}

/** The texts that clients of these interfaces know. */
function writeOwnRefusal(ctx: Context): boolean {
  if (isCompatiblePath(ctx)) {
    const result = 'Max rate limit reached, please use API Key for higher rate limit';
    ctx.body = { status: '0', message: 'NOTOK', result };
    return true;
  }
  if (ctx.path !== '/api/rpc') return false;
  ctx.status = 429;
  ctx.body = { jsonrpc: '2.0', id: null, error: { code: -32005, message: 'limit exceeded' } };
  return true;
}

async function callerOf({ credentials }: AdmissionDeps, ctx: Context, guesses: RateLimiterMemory): Promise<Caller> {
  const keyOfQuery = isCompatiblePath(ctx) && typeof ctx.query.apikey === 'string' ? ctx.query.apikey : undefined;
  const network = networkOf(ctx.ip);
  const key = ctx.get('X-API-Key') || keyOfQuery;
  if (key && isWellFormedKey(key) && !credentials.keys.wasFound(hashKey(key))) {
    const isAllowed = await guesses.consume(network).then(
      () => true,
      () => false,
    );
    if (!isAllowed) throw new ApiProblem('rate_limited', 'too many keys that do not exist came from this network');
    const caller = await findCaller(credentials, ctx.headers, keyOfQuery);
    if (!caller.key?.fault) await guesses.reward(network, 1);
    return caller;
  }
  return findCaller(credentials, ctx.headers, keyOfQuery);
}
