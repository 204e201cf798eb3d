/** Results of the self-audit. */

interface Result {
  readonly name: string;
  readonly expected: string;
  readonly actual: string;
}

/** Prefix of the names of token checks. */
export const tokenCheckPrefix = 'holders_equal_supply:';

/** Returns whether a check passed; null: a value is unknown. */
export const hasPassed = ({ expected, actual }: Result): boolean | null =>
  expected === '' || actual === '' ? null : expected === actual;

/** Returns whether a check shows wrong blocks. Token checks do not: a totalSupply may differ from the transfers. */
export const showsFault = (check: Result): boolean =>
  hasPassed(check) === false && !check.name.startsWith(tokenCheckPrefix);
