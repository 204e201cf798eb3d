import { z } from 'zod';
import { Address } from '../../terms/primitives.ts';

export const maxAccounts = 100;

/** Parses comma-separated addresses without duplicates. */
export const AccountList = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .pipe(z.array(Address).min(1).max(maxAccounts))
  .transform((accounts) => [...new Set(accounts)]);
