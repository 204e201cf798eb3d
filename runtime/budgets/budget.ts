import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

/** Rate limit mode. off and observe only report limits; enforce rejects requests over the limit. */
export type RateMode = 'off' | 'observe' | 'enforce';

export const windowSeconds = 60;

/** Reply bytes that cost as much as a request: a short request can ask for many megabytes. */
export const bytesPerCost = 65_536;

export interface Spending {
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly isOver: boolean;
}

/** Rate limit. Every caller may spend the same number of points per time window. */
export class Budget {
  readonly #limiter: RateLimiterMemory;
  readonly kind: string;
  readonly points: number;

  constructor(kind: string, points: number, seconds = windowSeconds) {
    this.kind = kind;
    this.points = points;

    this.#limiter = new RateLimiterMemory({ points, duration: seconds, keyPrefix: kind });
  }

  /** Adds a cost only if the limit allows this. @returns false if not */
  async spendIfLeft(name: string, cost: number): Promise<boolean> {
    const spent = await this.#limiter.get(name);
    if ((spent?.consumedPoints ?? 0) + cost > this.points) return false;
    return !(await this.spend(name, cost)).isOver;
  }

  /** Adds the cost of a request to a caller's sum, even above the limit. */
  async spend(name: string, cost: number): Promise<Spending> {
    const counted = await this.#limiter.consume(name, cost).catch((over: RateLimiterRes) => over);
    return {
      remaining: Math.max(0, counted.remainingPoints),
      resetSeconds: Math.max(1, Math.ceil(counted.msBeforeNext / 1000)),
      isOver: counted.consumedPoints > this.points,
    };
  }
}
