/** Results of the self-audit, as its job writes and the API reads them. */

interface Result {
  readonly name: string;
  readonly expected: string;
  readonly actual: string;
}

/** Start of the names of checks of tokens. */
export const tokenCheckPrefix = 'holders_equal_supply:';

/** Returns whether a check passed; null if one of its values is unknown. */
export const hasPassed = ({ expected, actual }: Result): boolean | null =>
  expected === '' || actual === '' ? null : expected === actual;

/** Returns whether stored blocks are wrong. Tokens may have a totalSupply that no transfers explain. */
export const showsFault = (check: Result): boolean =>
  hasPassed(check) === false && !check.name.startsWith(tokenCheckPrefix);
