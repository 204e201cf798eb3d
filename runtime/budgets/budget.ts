/** What callers run up in a minute, or another time. */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

/** off, observe: nobody is refused, all is said; enforce: who asks for more is refused. */
export type RateMode = 'off' | 'observe' | 'enforce';

export const windowSeconds = 60;

export interface Spending {
  readonly remaining: number;
  readonly resetSeconds: number;
  /** More was asked for than the budget holds. */
  readonly isOver: boolean;
}

/** One budget of the same size for each name. */
export class Budget {
  readonly #limiter: RateLimiterMemory;
  readonly kind: string;
  readonly points: number;

  constructor(kind: string, points: number, seconds = windowSeconds) {
    this.kind = kind;
    this.points = points;

    this.#limiter = new RateLimiterMemory({ points, duration: seconds, keyPrefix: kind });
  }

  /** Counts a cost, within the budget or not. */
  async spend(name: string, cost: number): Promise<Spending> {
    const counted = await this.#limiter.consume(name, cost).catch((over: RateLimiterRes) => over);
    return {
      remaining: Math.max(0, counted.remainingPoints),
      resetSeconds: Math.max(1, Math.ceil(counted.msBeforeNext / 1000)),
      isOver: counted.consumedPoints > this.points,
    };
  }
}
