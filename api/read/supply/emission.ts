/**
 * Scheduled emission of the native coin, exact in wei: a fixed amount per year, halved every four years.
 * @source docs/economy.md#supply-apiv1supply
 */

export interface EmissionSchedule {
  /** Supply in block 0, wei. */
  readonly genesis: bigint;
  /** Emission per year before the first halving, wei. */
  readonly annual: bigint;
  readonly eraYears: number;
}

/** 365.25 days, so that four years equal four calendar years. */
export const yearSeconds = 31_557_600;

export interface EmissionState {
  /** Current period between halvings, from 1. */
  readonly era: number;
  /** Unix seconds. */
  readonly eraStart: number;
  readonly nextHalving: number;
  readonly annual: bigint;
  /** Total emission so far, wei, rounded down. */
  readonly emitted: bigint;
}

/** @param start of the emission, Unix seconds, like `time` */
export function emissionAt({ annual, eraYears }: EmissionSchedule, start: number, time: number): EmissionState {
  const eraSeconds = eraYears * yearSeconds;
  const elapsed = Math.max(0, time - start);
  const ended = Math.floor(elapsed / eraSeconds);
  // The sums are in wei * seconds * 2^ended. An ended period emits annual * eraSeconds, halved for each earlier period.
  const whole = sumOfHalves(annual * BigInt(eraSeconds), ended);
  const current = annual * BigInt(elapsed - ended * eraSeconds);
  return {
    era: ended + 1,
    eraStart: start + ended * eraSeconds,
    nextHalving: start + (ended + 1) * eraSeconds,
    annual: annual >> BigInt(ended),
    emitted: (whole + current) / (BigInt(yearSeconds) << BigInt(ended)),
  };
}

/** Returns (first + first/2 + … with `count` terms) * 2^count, exact. */
function sumOfHalves(first: bigint, count: number): bigint {
  return first * 2n * ((1n << BigInt(count)) - 1n);
}

/** Returns the limit of the scheduled supply, wei. */
export function asymptoticSupply({ genesis, annual, eraYears }: EmissionSchedule): bigint {
  return genesis + 2n * annual * BigInt(eraYears);
}
