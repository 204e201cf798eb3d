/** Kinds of fields that the parts of the configuration share. */
import { z } from 'zod';

/** An empty variable is the same as none. */
export const blank = (value: unknown) => (value === '' ? undefined : value);

/** A whole number with a default. */
export const count = (fallback: number, text: string, min = 0, max = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(blank, z.coerce.number().int().min(min).max(max).default(fallback)).describe(text);

export const httpUrl = z.url({ protocol: /^https?$/, error: 'is no http(s) URL' });
