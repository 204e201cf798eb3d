/** Rate limits by tier: anonymous, keyed (signed in) and operator. @source docs/identity.md#rate-limits */
import { Budget, type RateMode, type Spending, windowSeconds } from '#runtime/budgets/budget.ts';
import { getAddressPrefix, getNetworkPrefix, type WatcherAccess } from '#runtime/budgets/network.ts';
import type { Identity } from '../read/identity/access.ts';
import type { Caller } from '../read/identity/caller.ts';

type Tier = 'anonymous' | 'keyed' | 'operator';

export interface RateSettings {
  readonly mode: RateMode;
  readonly perMinute: Readonly<Record<Tier, number>>;
  /** Maximum cost per minute of a network's callers, except operators. Limits clients with many addresses. */
  readonly perNetwork: number;
  readonly perWatcher: number;
  readonly storedBytesPerDay: Readonly<Record<Tier, number>>;
  readonly watchers: WatcherAccess;
  readonly proxyHops: number;
}

const daySeconds = 86_400;
/** Number of identities of a network that can use their full daily limit of stored bytes. */
const keptIdentities = 8;

type Owner = Pick<Identity, 'id' | 'isOperator'>;

export interface Bucket {
  readonly tier: Tier;
  readonly name: string;
  readonly network: string;
}

export interface Standing {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  /** The network's limit if the network exceeded it, else the caller's. */
  readonly of: 'caller' | 'network';
  readonly isRefused: boolean;
}

export class RateTiers {
  readonly #callers: Record<Tier, Budget>;
  readonly #networks: Budget;
  readonly #watchers: Budget;
  readonly #kept: Record<Tier, Budget>;
  readonly #keptOfNetworks: Budget;
  readonly settings: RateSettings;

  constructor(settings: RateSettings) {
    this.settings = settings;

    const { perMinute, perNetwork, perWatcher } = settings;
    const budget = (tier: Tier) => new Budget(tier, perMinute[tier]);
    this.#callers = { anonymous: budget('anonymous'), keyed: budget('keyed'), operator: budget('operator') };
    this.#networks = new Budget('network', perNetwork);
    this.#watchers = new Budget('watcher', perWatcher);
    const kept = (tier: Tier) => new Budget(`kept ${tier}`, settings.storedBytesPerDay[tier], daySeconds);
    this.#keptOfNetworks = new Budget('kept network', keptIdentities * settings.storedBytesPerDay.keyed, daySeconds);
    this.#kept = { anonymous: kept('anonymous'), keyed: kept('keyed'), operator: kept('operator') };
  }

  /**
   * Counts background work, such as a scheduled query.
   * @returns false if too little of the limit is left: the work must wait
   */
  async chargeOwner({ id, isOperator }: Owner, cost: number): Promise<boolean> {
    const budget = this.#callers[isOperator ? 'operator' : 'keyed'];
    if (this.settings.mode === 'enforce') return budget.spendIfLeft(id, cost);
    await budget.spend(id, cost);
    return true;
  }

  async charge({ tier, name, network }: Bucket, cost: number): Promise<Standing> {
    const isEnforced = this.settings.mode === 'enforce';
    const own = await this.#callers[tier].spend(name, cost);
    const caller = { limit: this.settings.perMinute[tier], of: 'caller' as const, ...own };
    const callerStatus = { ...caller, isRefused: own.isOver && isEnforced };
    // a rejected request causes no work, so it does not count for the network
    if (tier === 'operator' || callerStatus.isRefused) return callerStatus;
    const all = await this.#networks.spend(network, cost);
    if (!all.isOver) return callerStatus;
    return { limit: this.settings.perNetwork, of: 'network', ...all, isRefused: isEnforced };
  }

  /** @returns seconds to wait if a monitoring request (such as /healthz) is rejected */
  async watch(ip: string): Promise<number | undefined> {
    return this.#waitAfter(await this.#watchers.spend(getAddressPrefix(ip), 1));
  }

  /**
   * Counts bytes to store. Callers of a network, except operators, also share one limit: a person can create many
   * identities.
   * @returns seconds to wait if rejected
   */
  async keep({ tier, name, network }: Bucket, bytes: number): Promise<number | undefined> {
    if (tier === 'anonymous') return this.#waitAfter(await this.#kept.anonymous.spend(network, bytes));
    const wait = this.#waitAfter(await this.#kept[tier].spend(name, bytes));
    if (wait !== undefined || tier === 'operator') return wait;
    return this.#waitAfter(await this.#keptOfNetworks.spend(network, bytes));
  }

  #waitAfter({ isOver, resetSeconds }: Spending): number | undefined {
    return isOver && this.settings.mode === 'enforce' ? resetSeconds : undefined;
  }

  headers({ limit, remaining, resetSeconds, isRefused }: Standing): Record<string, string> {
    const isEnforced = this.settings.mode === 'enforce';
    const values = { Limit: limit, Remaining: remaining, Reset: resetSeconds };
    const pairs = Object.entries(values).flatMap(([name, value]) =>
      ['RateLimit', 'X-RateLimit'].map((prefix) => [`${prefix}-${name}`, String(value)]),
    );
    return {
      ...Object.fromEntries(pairs),
      'RateLimit-Policy': `${limit};w=${windowSeconds};enforced=${isEnforced}`,
      ...(isRefused ? { 'Retry-After': String(resetSeconds) } : {}),
    };
  }
}

/** Returns tier and name. The name is the identity, else the IP address (IPv6: its /64). */
export function getBucket(caller: Caller, ip: string): Bucket {
  const proof = caller.token?.refusal === undefined ? caller.token : undefined;
  const identity = proof?.value ?? (caller.key?.refusal === undefined ? caller.key?.value.identity : undefined);
  const network = getNetworkPrefix(ip);
  if (!identity) return { tier: 'anonymous', name: getAddressPrefix(ip), network };
  return { tier: identity.isOperator ? 'operator' : 'keyed', name: identity.id, network };
}
