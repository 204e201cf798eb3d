/** Finds out who asks and whether they may ask for more, before anything else is done for them. */
import { availableParallelism } from 'node:os';
import type { Context, Middleware } from 'koa';
import PQueue from 'p-queue';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { addressOf, networkOf } from '#runtime/budgets/network.ts';
import { Places } from '#runtime/budgets/places.ts';
import { pause } from '#runtime/shutdown.ts';
import { hashKey, isWellFormedKey } from '../read/identity/api-key.ts';
import { type Caller, type Credentials, findCaller } from '../read/identity/caller.ts';
import type { KeyUsage } from '../read/identity/key-usage.ts';
import { ApiProblem } from '../terms/errors.ts';
import { isCompatiblePath } from './problem.ts';
import { type Bucket, bucketOf, type RateTiers, type Standing } from './rate-tiers.ts';

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

/** Look-ups a second of well-formed keys that were not found before, by address and by network. */
const guessesPerSecond = { address: 10, network: 40 };
/** Anonymous requests that wait for their turn, in all and of one caller. */
const mostWaiting = { all: 100, own: 20 };
/** A request that takes longer is waiting for a node or the database: its turn ends, ms. */
const longestTurnMs = 250;
const watched = new Set(['/healthz', '/readyz', '/metrics']);
/** Bytes sent that cost as much as a request. */
const bytesPerCost = 65_536;

export function admission(deps: AdmissionDeps): Middleware {
  const inTurn = turnsOf(deps.rates);
  const guesses = new Guesses();
  return async (ctx, next) => {
    if (watched.has(ctx.path)) {
      const retryAfterSeconds = await deps.rates.watch(ctx.ip);
      if (retryAfterSeconds === undefined) return next();
      throw new ApiProblem('rate_limited', 'this path is asked for too often from one address', { retryAfterSeconds });
    }
    const caller = await callerOf(deps, ctx, guesses);
    const admitted: Admitted = { caller, bucket: bucketOf(caller, ctx.ip), cost: 0 };
    ctx.state.admitted = admitted;
    chargeForBytes(deps, ctx, admitted);
    try {
      if (await charge(deps, ctx, 1)) await inTurn(ctx, admitted.bucket, next);
    } finally {
      if (caller.key?.fault === undefined && caller.key) deps.usage.note(caller.key.value.key.id, admitted.cost);
    }
  };
}

/** What is sent is counted when it is sent: who took much waits before the next request. */
function chargeForBytes({ rates, usage }: AdmissionDeps, { res }: Context, { bucket, caller }: Admitted): void {
  const { socket } = res;
  const before = socket?.bytesWritten ?? 0;
  res.once('close', () => {
    const cost = Math.floor(((socket?.bytesWritten ?? 0) - before) / bytesPerCost);
    if (cost === 0) return;
    void rates.charge(bucket, cost);
    if (caller.key?.fault === undefined && caller.key) usage.note(caller.key.value.key.id, cost);
  });
}

/**
 * Where budgets are enforced, anonymous callers wait for each other and never for long: what they ask for, however many they
 * are, leaves room for those who sent a credential. A stream that has begun counts no more; who sends a body, perhaps slowly,
 * takes nobody's turn.
 */
function turnsOf({ settings }: RateTiers): (ctx: Context, bucket: Bucket, work: () => Promise<void>) => Promise<void> {
  const turns = new PQueue({ concurrency: availableParallelism() });
  const waiting = new Places(mostWaiting.all, mostWaiting.own);
  return async ({ method, res }, { tier, name }, work) => {
    const isBodiless = method === 'GET' || method === 'HEAD';
    if (settings.mode !== 'enforce' || tier !== 'anonymous' || !isBodiless) return work();
    const leave = waiting.take(name);
    if (typeof leave !== 'function') {
      const who = leave === 'own' ? 'one caller' : 'all callers';
      throw new ApiProblem('rate_limited', `${mostWaiting[leave]} requests of ${who} without a key wait already`);
    }
    let done: Promise<void> = Promise.resolve();
    await new Promise<void>((begin) => {
      void turns.add(async () => {
        leave();
        begin();
        if (res.closed) return; // the client left meanwhile
        const over = new AbortController();
        done = work().finally(() => over.abort());
        await pause(longestTurnMs, over.signal);
      });
    });
    await done;
  };
}

/** Who sent this request. */
export const admittedCaller = (ctx: Context): Caller => (ctx.state.admitted as Admitted).caller;

/** Whose budget it is counted in. */
export const admittedName = (ctx: Context): string => {
  const { tier, name } = (ctx.state.admitted as Admitted).bucket;
  return `${tier} ${name}`;
};

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
    const { limit, resetSeconds, of } = standing;
    const who = of === 'network' ? 'all callers of a network together' : `${admitted.bucket.tier} callers`;
    const detail = `${limit} requests a minute are allowed to ${who}; go on in ${resetSeconds} s`;
    throw new ApiProblem('rate_limited', detail);
  }
  return false;
}

/** Counts bytes that are stored for a caller. @throws ApiProblem rate_limited */
export async function keepBytes({ rates }: Pick<AdmissionDeps, 'rates'>, ctx: Context, bytes: number): Promise<void> {
  const retryAfterSeconds = await rates.keep((ctx.state.admitted as Admitted).bucket, bytes);
  if (retryAfterSeconds === undefined) return;
  throw new ApiProblem('rate_limited', 'as much as is kept for one caller a day was stored already', {
    retryAfterSeconds,
  });
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

async function callerOf({ credentials }: AdmissionDeps, ctx: Context, guesses: Guesses): Promise<Caller> {
  const keyOfQuery = isCompatiblePath(ctx) && typeof ctx.query.apikey === 'string' ? ctx.query.apikey : undefined;
  const find = () => findCaller(credentials, ctx.headers, keyOfQuery);
  const key = ctx.get('X-API-Key') || keyOfQuery;
  const isGuess = key && isWellFormedKey(key) && !credentials.keys.wasFound(hashKey(key));
  return isGuess ? guesses.count(ctx.ip, hashKey(key), find) : find();
}

/** Keys that are looked up for the first time: one stranger's guesses refuse no neighbour's first request. */
class Guesses {
  readonly #running = new Set<string>();
  readonly #addresses = new RateLimiterMemory({ points: guessesPerSecond.address, duration: 1 });
  readonly #networks = new RateLimiterMemory({ points: guessesPerSecond.network, duration: 1 });

  /** @throws ApiProblem rate_limited before the key is looked up */
  async count(ip: string, hash: string, find: () => Promise<Caller>): Promise<Caller> {
    // requests that come with the same key while it is looked up are one guess
    if (this.#running.has(hash)) return find();
    const [address, network] = [addressOf(ip), networkOf(ip)];
    try {
      await this.#addresses.consume(address);
      await this.#networks.consume(network);
    } catch {
      throw new ApiProblem('rate_limited', 'too many keys that do not exist came from this network');
    }
    this.#running.add(hash);
    const caller = await find().finally(() => this.#running.delete(hash));
    if (caller.key?.fault) return caller;
    await Promise.all([this.#addresses.reward(address), this.#networks.reward(network)]);
    return caller;
  }
}
