import { z } from 'zod';
import { isoTimeOrNull } from '#chain/codec/iso-time.ts';
import type { ReceiverState } from '../../read/account/webhook.ts';
import { IsoTime } from '../../terms/primitives.ts';

/** Properties of all routes for the account of a signed-in user. */
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

/** Reply fields that say whether the receiver accepts notifications. */
export const receiverFields = {
  state: z.enum(['working', 'failing', 'paused']).meta({
    description:
      'failing: the receiver did not accept a notification, which is sent again at nextAttemptAt. paused: the receiver failed for three days',
  }),
  nextAttemptAt: IsoTime.nullable(),
  lastError: z.string().nullable(),
};

export function receiverReply({ attempts, retryMs, isPaused, lastError }: ReceiverState) {
  const isFailing = attempts > 0;
  return {
    state: isPaused ? ('paused' as const) : isFailing ? ('failing' as const) : ('working' as const),
    nextAttemptAt: isFailing && !isPaused ? isoTimeOrNull(retryMs) : null,
    lastError: lastError === '' ? null : lastError,
  };
}
