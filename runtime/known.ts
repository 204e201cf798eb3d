/** For what the program's own logic says is there: where it is not, the mistake is ours, and is told instead of carried on. */

/** @throws Error that names what is missing, where the value is undefined or null */
export function known<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`${what} is missing`);
  return value;
}
