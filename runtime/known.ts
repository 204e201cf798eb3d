/** Asserts that a value exists. @throws Error with `what`, which means a bug */
export function known<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`${what} is missing`);
  return value;
}
