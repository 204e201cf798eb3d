import { z } from 'zod';

export const blank = (value: unknown) => (value === '' ? undefined : value);

export const count = (fallback: number, text: string, min = 0, max = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(blank, z.coerce.number().int().min(min).max(max).default(fallback)).describe(text);

export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/** Parses a comma-separated list. An unset variable gives an empty list. */
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
