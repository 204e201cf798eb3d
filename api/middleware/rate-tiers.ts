/** How much each caller may ask for: three tiers, each with its own budget. @source specification 1.4 and 5; conventions C10 */
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from '../auth/caller.ts';

export type Tier = 'anonymous' | 'keyed' | 'operator';

export interface RateSettings {
  /** off, observe: nobody is refused, all is said; enforce: who asks for more is refused. */
  readonly mode: 'off' | 'observe' | 'enforce';
  /** Cost that a caller of each tier may run up in a minute. */
  readonly perMinute: Readonly<Record<Tier, number>>;
  /** Proxies in front that are trusted to tell the caller's address. */
  readonly proxyHops: number;
}

const windowSeconds = 60;

/** Where a caller's requests are counted. */
export interface Bucket {
  readonly tier: Tier;
  readonly name: string;
}

export interface Standing {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  /** To be refused now. */
  readonly isRefused: boolean;
}

export class RateTiers {
  readonly #limiters: Record<Tier, RateLimiterMemory>;

  constructor(readonly settings: RateSettings) {
    const limiter = (tier: Tier) =>
      new RateLimiterMemory({ points: settings.perMinute[tier], duration: windowSeconds, keyPrefix: tier });
    this.#limiters = { anonymous: limiter('anonymous'), keyed: limiter('keyed'), operator: limiter('operator') };
  }

  /** Counts a cost. */
  async charge({ tier, name }: Bucket, cost: number): Promise<Standing> {
    const limit = this.settings.perMinute[tier];
    const counted = await this.#limiters[tier].consume(name, cost).catch((over: RateLimiterRes) => over);
    const isOver = counted.consumedPoints > limit;
    return {
      ...{ limit, remaining: Math.max(0, counted.remainingPoints) },
      resetSeconds: Math.max(1, Math.ceil(counted.msBeforeNext / 1000)),
      isRefused: isOver && this.settings.mode === 'enforce',
    };
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
  if (!identity) return { tier: 'anonymous', name: networkOf(ip) };
  return { tier: identity.isOperator ? 'operator' : 'keyed', name: identity.id };
}

/** The address of an IPv4 caller, the /64 network of an IPv6 caller. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip); // ::ffff:1.2.3.4 is 1.2.3.4
  if (address.kind() === 'ipv4') return address.toString();
  const network = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
