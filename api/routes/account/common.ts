import { z } from 'zod';

/** What all routes of an account share. */
export const accountRoute = {
  base: '/api/v1',
  tag: 'account',
  query: z.object({}),
  access: 'credential',
  maxAgeSeconds: 0,
} as const;

export const accountErrors = [
  'bad_query',
  'unauthorized',
  'invalid_api_key',
  'key_revoked',
  'store_unavailable',
] as const;
