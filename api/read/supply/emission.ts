/** Emission by schedule, exact in wei. @source specification 1.7: era 1 emits so much a year, halving after each era */

export interface EmissionSchedule {
  /** Wei. */
  readonly genesis: bigint;
  /** Of a year in era 1, wei. */
  readonly annual: bigint;
  readonly eraYears: number;
}

/** 365.25 days: four years are four years of the calendar. */
export const yearSeconds = 31_557_600;

export interface EmissionState {
  /** From 1 on. */
  readonly era: number;
  /** Unix seconds. */
  readonly eraStart: number;
  readonly nextHalving: number;
  /** Of a year in this era, wei. */
  readonly annual: bigint;
  /** Since the start, wei; a part of a wei is not emitted yet. */
  readonly emitted: bigint;
}

/** @param start and time in Unix seconds; before the start nothing is emitted */
export function emissionAt({ annual, eraYears }: EmissionSchedule, start: number, time: number): EmissionState {
  const eraSeconds = eraYears * yearSeconds;
  const elapsed = Math.max(0, time - start);
  const ended = Math.floor(elapsed / eraSeconds);
  // in units of wei * years * 2^ended: whole eras emit annual * eraYears, halved each time
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

/** (first + first/2 + … of `count` terms) * 2^count: exact. */
function sumOfHalves(first: bigint, count: number): bigint {
  return first * 2n * ((1n << BigInt(count)) - 1n);
}

/** What the schedule converges to, wei. */
export function asymptoticSupply({ genesis, annual, eraYears }: EmissionSchedule): bigint {
  return genesis + 2n * annual * BigInt(eraYears);
}
