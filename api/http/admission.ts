/** Counts each request against the caller's rate limit before any other work. */
import type { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import type { Context, Middleware } from 'koa';
import PQueue from 'p-queue';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { bytesPerCost } from '#runtime/budgets/budget.ts';
import { getAddressPrefix, getNetworkPrefix } from '#runtime/budgets/network.ts';
import { Places } from '#runtime/budgets/places.ts';
import { pause } from '#runtime/shutdown.ts';
import { hashKey, isWellFormedKey } from '../read/identity/api-key.ts';
import { type Caller, type Credentials, findCaller, isUnchecked } from '../read/identity/caller.ts';
import type { KeyUsage } from '../read/identity/key-usage.ts';
import { ApiProblem } from '../terms/errors.ts';
import { isCompatiblePath } from './problem.ts';
import { type Bucket, getBucket, type RateTiers, type Standing } from './rate-tiers.ts';

export interface AdmissionDeps {
  readonly credentials: Credentials;
  readonly rates: RateTiers;
  readonly usage: KeyUsage;
}

interface Admitted {
  caller: Caller;
  bucket: Bucket;
  cost: number;
  standing?: Standing;
  /** Counts the request for the owner of an API key from here on. */
  readonly admitKey: (key: string) => Promise<void>;
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
}

/** Maximum look-ups of unknown API keys per second: clients must not guess keys. */
const guessesPerSecond = { address: 10, network: 40 };
const maxWaiting = { all: 100, own: 20, network: 40 };
/** The next request starts after this time: the running one probably waits for a node or the database. */
const maxTurnMs = 250;
const monitoringPaths = new Set(['/healthz', '/readyz', '/metrics']);

export function admission(deps: AdmissionDeps): Middleware {
  const runInTurn = createTurns(deps.rates);
  const guesses = new Guesses();
  return async (ctx, next) => {
    if (monitoringPaths.has(ctx.path)) {
      const retryAfterSeconds = await deps.rates.watch(ctx.ip);
      if (retryAfterSeconds === undefined) return next();
      throw new ApiProblem('rate_limited', 'too many requests from your address to this path: try again later', {
        retryAfterSeconds,
      });
    }
    const findOwner = async (key: string | undefined) => {
      const caller = await resolveCaller(deps, ctx, guesses, key);
      return { caller, bucket: getBucket(caller, ctx.ip) };
    };
    const owner = await findOwner(isCompatiblePath(ctx) ? getApiKey(ctx.query) : undefined);
    const admitKey = async (key: string) => void Object.assign(admitted, { ...(await findOwner(key)), cost: 0 });
    const inTurn = (work: () => Promise<void>) => runInTurn(ctx.res, admitted.bucket, work);
    const admitted: Admitted = { ...owner, cost: 0, admitKey, inTurn };
    ctx.state.admitted = admitted;
    chargeForBytes(deps, ctx, admitted);
    try {
      if (await charge(deps, ctx, 1)) await runBeforeBody(ctx, next);
    } finally {
      const { key } = admitted.caller;
      if (key?.refusal === undefined && key) deps.usage.note(key.value.key.id, admitted.cost);
    }
  };
}

/** Returns the parameter apikey of a query or form. Parameter names of /api are case-insensitive. */
function getApiKey(parameters: Readonly<Record<string, unknown>>): string | undefined {
  const [, key] = Object.entries(parameters).find(([name]) => name.toLowerCase() === 'apikey') ?? [];
  const [first] = [key].flat(); // a repeated parameter is an array
  return typeof first === 'string' ? first : undefined;
}

/**
 * Counts a request to /api for the owner of the API key in its form, unless it has other credentials. The request has
 * already counted as anonymous, because the form is read later.
 * @returns false if the owner's limit is exceeded and a reply was written
 * @throws ApiProblem rate_limited after too many unknown keys
 */
export async function admitKeyOfForm(deps: AdmissionDeps, ctx: Context, form: unknown): Promise<boolean> {
  const { caller, admitKey } = ctx.state.admitted as Admitted;
  if (!isCompatiblePath(ctx) || caller.key || caller.token || typeof form !== 'object' || !form) return true;
  const key = getApiKey(form as Record<string, unknown>);
  if (key === undefined) return true;
  await admitKey(key);
  return charge(deps, ctx, 1);
}

/** Charged bytes of each connection. */
const chargedUpTo = new WeakMap<Socket, number>();

function chargeForBytes({ rates, usage }: AdmissionDeps, { req: { socket }, res }: Context, admitted: Admitted): void {
  const before = socket.bytesWritten;
  res.once('close', () => {
    // the next pipelined response may have begun before this event
    const from = Math.max(before, chargedUpTo.get(socket) ?? 0);
    chargedUpTo.set(socket, socket.bytesWritten);
    const cost = Math.floor((socket.bytesWritten - from) / bytesPerCost);
    if (cost === 0) return;
    const { bucket, caller } = admitted;
    void rates.charge(bucket, cost);
    if (caller.key?.refusal === undefined && caller.key) usage.note(caller.key.value.key.id, cost, 0);
  });
}

const isBodiless = ({ method }: Context) => method === 'GET' || method === 'HEAD';

const takeTurn = (ctx: Context, work: () => Promise<void>) => (ctx.state.admitted as Admitted).inTurn(work);
const runBeforeBody = (ctx: Context, work: () => Promise<void>) => (isBodiless(ctx) ? takeTurn(ctx, work) : work());

/**
 * Waits for a turn; GET and HEAD requests have already waited. Call it after the body was read: uploads can be slow.
 */
export const runAfterBody = (ctx: Context, work: () => Promise<void>): Promise<void> =>
  isBodiless(ctx) ? work() : takeTurn(ctx, work);

/** Limits concurrent anonymous requests, so that CPU time remains for callers with credentials. */
function createTurns({
  settings,
}: RateTiers): (res: Context['res'], bucket: Bucket, work: () => Promise<void>) => Promise<void> {
  const turns = new PQueue({ concurrency: availableParallelism() });
  const waiting = new Places(maxWaiting.all, maxWaiting.own, maxWaiting.network);
  return async (res, { tier, name, network }, work) => {
    if (settings.mode !== 'enforce' || tier !== 'anonymous') return work();
    const leave = waiting.take(name, network);
    if (typeof leave !== 'function') {
      const who = { own: 'one caller', network: 'one network', all: 'all callers' }[leave];
      throw new ApiProblem(
        'rate_limited',
        `${maxWaiting[leave]} requests without a key are already queued for ${who}: try again later`,
      );
    }
    let done: Promise<void> = Promise.resolve();
    await new Promise<void>((begin) => {
      void turns.add(async () => {
        leave();
        begin();
        if (res.closed) return; // the client disconnected while queued
        const finished = new AbortController();
        done = work().finally(() => finished.abort());
        await pause(maxTurnMs, finished.signal);
      });
    });
    await done;
  };
}

export const getCaller = (ctx: Context): Caller => (ctx.state.admitted as Admitted).caller;

export const getBudgetName = (ctx: Context): string => {
  const { tier, name } = (ctx.state.admitted as Admitted).bucket;
  return `${tier} ${name}`;
};

export const getRateLimitStatus = (ctx: Context): Standing | undefined => (ctx.state.admitted as Admitted).standing;

/**
 * Counts a cost against the caller's rate limit.
 * @returns false if the limit is exceeded and writeOwnRefusal() has replied
 * @throws ApiProblem rate_limited if the limit is exceeded in the REST interface
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
    const who = of === 'network' ? 'all callers of one network' : `one ${admitted.bucket.tier} caller`;
    const detail = `limit of ${limit} requests per minute for ${who} exceeded: try again in ${resetSeconds} s`;
    throw new ApiProblem('rate_limited', detail);
  }
  return false;
}

/** @throws ApiProblem rate_limited if the caller exceeds its daily limit of stored bytes */
export async function chargeStoredBytes(
  { rates }: Pick<AdmissionDeps, 'rates'>,
  ctx: Context,
  bytes: number,
): Promise<void> {
  const retryAfterSeconds = await rates.keep((ctx.state.admitted as Admitted).bucket, bytes);
  if (retryAfterSeconds === undefined) return;
  throw new ApiProblem(
    'rate_limited',
    'daily limit of stored bytes exceeded: wait for the number of seconds in the Retry-After header, then try again',
    {
      retryAfterSeconds,
    },
  );
}

function writeOwnRefusal(ctx: Context): boolean {
  if (isCompatiblePath(ctx)) {
    const result = 'Max rate limit reached, please use API Key for higher rate limit';
    ctx.body = { status: '0', message: 'NOTOK', result };
    return true;
  }
  if (!/^\/api\/rpc\/?$/.test(ctx.path)) return false;
  ctx.status = 429;
  ctx.body = { jsonrpc: '2.0', id: null, error: { code: -32005, message: 'limit exceeded' } };
  return true;
}

/** @param parameter API key in the query or form of a request to /api */
async function resolveCaller(
  { credentials }: AdmissionDeps,
  ctx: Context,
  guesses: Guesses,
  parameter: string | undefined,
): Promise<Caller> {
  const find = () => findCaller(credentials, ctx.headers, parameter);
  const key = ctx.get('X-API-Key') || parameter;
  const isGuess = key && isWellFormedKey(key) && !credentials.keys.wasFound(hashKey(key));
  return isGuess ? guesses.count(ctx.ip, hashKey(key), find) : find();
}

class Guesses {
  readonly #running = new Set<string>();
  readonly #addresses = new RateLimiterMemory({ points: guessesPerSecond.address, duration: 1 });
  readonly #networks = new RateLimiterMemory({ points: guessesPerSecond.network, duration: 1 });

  async count(ip: string, hash: string, find: () => Promise<Caller>): Promise<Caller> {
    // concurrent requests with the same unknown key count once
    if (this.#running.has(hash)) return find();
    const [address, network] = [getAddressPrefix(ip), getNetworkPrefix(ip)];
    try {
      await this.#addresses.consume(address);
      await this.#networks.consume(network);
    } catch {
      throw new ApiProblem(
        'rate_limited',
        'too many unknown API keys from your network: check the key, and try again later',
      );
    }
    this.#running.add(hash);
    const caller = await find().finally(() => this.#running.delete(hash));
    if (caller.key?.refusal && !isUnchecked(caller.key)) return caller;
    await Promise.all([this.#addresses.reward(address), this.#networks.reward(network)]);
    return caller;
  }
}
