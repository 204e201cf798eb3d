import { z } from 'zod';
import { isoTimeOrNull } from '#chain/codec/iso-time.ts';
import type { ReceiverState } from '../../read/account/webhook.ts';
import { IsoTime } from '../../terms/primitives.ts';

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

/** Fields of a reply that say how the receiver of notifications does. */
export const receiverFields = {
  state: z.enum(['working', 'failing', 'paused']).meta({
    description:
      'failing: the receiver did not accept the next notification, which is sent again at nextAttemptAt; paused: it failed for three days',
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
