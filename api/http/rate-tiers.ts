/** How much each caller may ask for: three tiers, each with its own budget. @source specification 1.4 and 5; conventions C10 */
import { Budget, type RateMode, type Spending, windowSeconds } from '#runtime/budgets/budget.ts';
import { addressOf, networkOf, type WatcherAccess } from '#runtime/budgets/network.ts';
import type { Caller } from '../read/identity/caller.ts';

type Tier = 'anonymous' | 'keyed' | 'operator';

export interface RateSettings {
  readonly mode: RateMode;
  /** Cost that a caller of each tier may run up in a minute. */
  readonly perMinute: Readonly<Record<Tier, number>>;
  /** The same of all callers of a network together, operators apart: new wallets and addresses cost nothing. */
  readonly perNetwork: number;
  /** Requests a minute for /healthz, /readyz and /metrics of an address. */
  readonly perWatcher: number;
  /** Bytes that are stored for a caller of each tier in a day. */
  readonly keptPerDay: Readonly<Record<Tier, number>>;
  /** Who can read /metrics. */
  readonly watchers: WatcherAccess;
  /** Proxies in front that are trusted to tell the caller's address. */
  readonly proxyHops: number;
}

const daySeconds = 86_400;

/** Where a caller's requests are counted. */
export interface Bucket {
  readonly tier: Tier;
  readonly name: string;
  readonly network: string;
}

export interface Standing {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  /** Whose budget these figures describe: the network's where it is exceeded, else the caller's. */
  readonly of: 'caller' | 'network';
  /** To be refused now. */
  readonly isRefused: boolean;
}

export class RateTiers {
  readonly #callers: Record<Tier, Budget>;
  readonly #networks: Budget;
  readonly #watchers: Budget;
  readonly #kept: Record<Tier, Budget>;
  readonly settings: RateSettings;

  constructor(settings: RateSettings) {
    this.settings = settings;

    const { perMinute, perNetwork, perWatcher } = settings;
    const budget = (tier: Tier) => new Budget(tier, perMinute[tier]);
    this.#callers = { anonymous: budget('anonymous'), keyed: budget('keyed'), operator: budget('operator') };
    this.#networks = new Budget('network', perNetwork);
    this.#watchers = new Budget('watcher', perWatcher);
    const kept = (tier: Tier) => new Budget(`kept ${tier}`, settings.keptPerDay[tier], daySeconds);
    this.#kept = { anonymous: kept('anonymous'), keyed: kept('keyed'), operator: kept('operator') };
  }

  /** Counts a cost. */
  async charge({ tier, name, network }: Bucket, cost: number): Promise<Standing> {
    const isEnforced = this.settings.mode === 'enforce';
    const own = await this.#callers[tier].spend(name, cost);
    const caller = { limit: this.settings.perMinute[tier], of: 'caller' as const, ...own };
    const ofCaller = { ...caller, isRefused: own.isOver && isEnforced };
    // what is refused anyhow is not done, and costs the others of the network nothing
    if (tier === 'operator' || ofCaller.isRefused) return ofCaller;
    const all = await this.#networks.spend(network, cost);
    if (!all.isOver) return ofCaller;
    return { limit: this.settings.perNetwork, of: 'network', ...all, isRefused: isEnforced };
  }

  /** Counts a request of a watcher. @returns seconds to wait where it is to be refused */
  async watch(ip: string): Promise<number | undefined> {
    return this.#waitAfter(await this.#watchers.spend(addressOf(ip), 1));
  }

  /** Counts bytes that are stored; of callers without a credential by network. @returns seconds to wait where they are refused */
  async keep({ tier, name, network }: Bucket, bytes: number): Promise<number | undefined> {
    return this.#waitAfter(await this.#kept[tier].spend(tier === 'anonymous' ? network : name, bytes));
  }

  /** Seconds to wait after a spending that is refused; undefined where it is not. */
  #waitAfter({ isOver, resetSeconds }: Spending): number | undefined {
    return isOver && this.settings.mode === 'enforce' ? resetSeconds : undefined;
  }

  headers({ limit, remaining, resetSeconds, isRefused }: Standing): Record<string, string> {
    const isEnforced = this.settings.mode === 'enforce';
    const said = { Limit: limit, Remaining: remaining, Reset: resetSeconds };
    const both = Object.entries(said).flatMap(([name, value]) =>
      ['RateLimit', 'X-RateLimit'].map((prefix) => [`${prefix}-${name}`, String(value)]),
    );
    return {
      ...Object.fromEntries(both),
      'RateLimit-Policy': `${limit};w=${windowSeconds};enforced=${isEnforced}`,
      ...(isRefused ? { 'Retry-After': String(resetSeconds) } : {}),
    };
  }
}

/** Keyed callers count by identity, whatever address they come from; the others by address, IPv6 by its /64. */
export function bucketOf(caller: Caller, ip: string): Bucket {
  const proof = caller.token?.fault === undefined ? caller.token : undefined;
  const identity = proof?.value ?? (caller.key?.fault === undefined ? caller.key?.value.identity : undefined);
  const network = networkOf(ip);
  if (!identity) return { tier: 'anonymous', name: addressOf(ip), network };
  return { tier: identity.isOperator ? 'operator' : 'keyed', name: identity.id, network };
}
