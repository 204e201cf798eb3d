/** Returns a value that always exists unless the program has a bug. @throws Error naming `what` if it doesn't exist */
export function known<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`${what} is missing`);
  return value;
}
