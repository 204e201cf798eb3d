import { z } from 'zod';
import { isoTimeFromMs } from '#chain/codec/iso-time.ts';
import { defineRoute } from '../../http/define-route.ts';
import { IntegrationRequest, type IntegrationRequests } from '../../read/integration/integration-requests.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { IsoTime } from '../../terms/primitives.ts';

const maxBytes = 64 * 1024;

/** @source docs/registry.md#integration-requests */
export const postIntegrationRequest = defineRoute({
  id: 'postIntegrationRequest',
  base: '/api/v1',
  path: '/integration-requests',
  methods: ['post'],
  tag: 'integration',
  summary: 'Sends an integration request to the operator of this service',
  description:
    'This form is for exchanges and other partners. You can repeat a request safely with the same Idempotency-Key. The number of requests per IP address and hour is limited.',
  params: z.object({}),
  query: z.object({}),
  headers: z.object({
    'Idempotency-Key': z
      .string()
      .optional()
      .meta({ description: 'Id that you choose for this request: 8 to 128 printable ASCII characters without spaces' }),
  }),
  body: {
    schema: IntegrationRequest,
    maxBytes,
    example: {
      organization: 'Harbour Exchange',
      contactEmail: 'listing@example.org',
      website: 'https://example.org',
      type: 'exchange',
      chainUse: 'Deposits and withdrawals of FAT',
      message: 'We would like to list FAT.',
      expectedVolume: '2,000 deposits a day',
    },
  },
  response: z.strictObject({ id: z.string(), status: z.literal('received'), receivedAt: IsoTime }),
  errors: [
    'bad_query',
    'idempotency_conflict',
    'payload_too_large',
    'unsupported_media_type',
    'rate_limited',
    'store_unavailable',
  ],
  maxAgeSeconds: 0,
  successStatus: 202,
  example: '/integration-requests',
  handle: async (
    { integrationRequests }: { readonly integrationRequests: IntegrationRequests },
    { body, address, headers, keep },
  ) => {
    const key = headers['idempotency-key'];
    if (key !== undefined && !/^[\x21-\x7e]{8,128}$/.test(String(key)))
      throw new ApiProblem('bad_query', 'Idempotency-Key must be 8 to 128 printable ASCII characters without spaces');
    const { id, receivedMs } = await integrationRequests.receive(body, { address, keep }, key as string | undefined);
    return { id, status: 'received' as const, receivedAt: isoTimeFromMs(receivedMs) };
  },
});
