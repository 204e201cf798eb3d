/** Asserts a value that the program's logic guarantees. @throws Error naming `what` if the value is undefined or null: a bug */
export function known<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`${what} is missing`);
  return value;
}
