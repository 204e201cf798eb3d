import { z } from 'zod';

export const blank = (value: unknown) => (value === '' ? undefined : value);

export const count = (fallback: number, text: string, min = 0, max = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(blank, z.coerce.number().int().min(min).max(max).default(fallback)).describe(text);

export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .refine(hasReadableCredentials, 'must have %25 for each % in the user name and password');

function hasReadableCredentials(text: string): boolean {
  if (!URL.canParse(text)) return true; // another error reports this
  try {
    const { username, password } = new URL(text);
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** Parses a comma-separated list, empty if unset. */
export const list = <T extends z.ZodType>(item: T, text: string) =>
  z
    .preprocess(
      (value) =>
        value === undefined || value === ''
          ? []
          : String(value)
              .split(',')
              .map((part) => part.trim()),
      z.array(item),
    )
    .describe(text);

/** Like `list`, but rejects two items with the same key: their values would count twice. */
export const distinctList = <T extends z.ZodType>(item: T, getKey: (item: z.output<T>) => string, text: string) =>
  list(item, text).refine((items) => new Set(items.map(getKey)).size === items.length, 'must not name an item twice');
