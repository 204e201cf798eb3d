/** @source docs/identity.md#api-keys */
import { z } from 'zod';
import { isoTimeFromMs, isoTimeOrNull } from '#chain/codec/iso-time.ts';
import type { AdmissionDeps } from '../../http/admission.ts';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { maskKey } from '../../read/identity/api-key.ts';
import { type ApiKey, maxActiveKeys } from '../../read/identity/key-store.ts';
import { Count, IsoTime } from '../../terms/primitives.ts';

const ListedKey = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    key: z.string().meta({ description: 'API key, with most characters masked' }),
    prefix: z.string(),
    last4: z.string(),
    status: z.enum(['active', 'revoked']),
    createdAt: IsoTime,
    lastUsedAt: IsoTime.nullable(),
    requests: z.strictObject({
      today: Count.meta({ description: 'Number of requests with this API key on the current UTC day' }),
      total: Count,
    }),
    revokedAt: IsoTime.nullable(),
  })
  .meta({ id: 'ApiKey' });

function listedKey({
  id,
  name,
  prefix,
  last4,
  createdMs,
  revokedMs,
  usedMs,
  calls,
}: ApiKey): z.input<typeof ListedKey> {
  return {
    id,
    name,
    key: maskKey(last4),
    prefix,
    last4,
    status: revokedMs === 0 ? 'active' : 'revoked',
    createdAt: isoTimeFromMs(createdMs),
    lastUsedAt: isoTimeOrNull(usedMs),
    requests: calls,
    revokedAt: isoTimeOrNull(revokedMs),
  };
}

interface KeyDeps {
  readonly admission: AdmissionDeps;
}

/** Approximate size of a stored key. */
const keyBytes = 512;

export const createKey = defineRoute({
  id: 'createKey',
  base: '/api/v1',
  path: '/keys',
  methods: ['post'],
  tag: 'keys',
  summary: 'Creates an API key',
  description: `The API key is returned only once, because only its hash is stored. Limit: ${maxActiveKeys} active keys per identity.`,
  params: z.object({}),
  query: z.object({}),
  body: {
    schema: z
      .strictObject({ name: z.string().max(64, 'must have at most 64 characters').default('') })
      .default({ name: '' }),
    maxBytes: 1_024,
    mayBeAbsent: true,
    example: { name: 'deposit monitor' },
  },
  response: z
    .strictObject({ id: z.string(), key: z.string(), name: z.string(), prefix: z.string(), createdAt: IsoTime })
    .meta({ id: 'NewApiKey' }),
  errors: ['bad_query', 'payload_too_large', 'unauthorized', 'key_limit_reached', 'rate_limited', 'store_unavailable'],
  access: 'token',
  cost: 5,
  successStatus: 201,
  maxAgeSeconds: 0,
  example: '/keys',
  handle: async ({ admission }: KeyDeps, { body, identity, keep }) => {
    await keep(keyBytes); // revoked keys count too
    const { key, stored } = await admission.credentials.keys.mint(identity.id, body.name);
    const { id, name, prefix, createdMs } = stored;
    return { id, key, name, prefix, createdAt: isoTimeFromMs(createdMs) };
  },
});

export const listKeys = defineRoute({
  id: 'listKeys',
  base: '/api/v1',
  path: '/keys',
  methods: ['get'],
  tag: 'keys',
  summary: 'List of your API keys',
  description: 'Returns masked API keys, the oldest first. The list includes revoked keys.',
  params: z.object({}),
  query: z.object({}),
  response: z.strictObject({ items: z.array(ListedKey), active: Count, limit: Count }),
  errors: ['unauthorized', 'store_unavailable'],
  access: 'token',
  maxAgeSeconds: 0,
  example: '/keys',
  handle: async ({ admission }: KeyDeps, { identity }) => {
    await admission.usage.flush();
    const keys = await admission.credentials.keys.list(identity.id);
    const active = keys.filter((key) => key.revokedMs === 0).length;
    return { items: keys.map(listedKey), active, limit: maxActiveKeys };
  },
});

export const revokeKey = defineRoute({
  id: 'revokeKey',
  base: '/api/v1',
  path: '/keys/:id',
  methods: ['delete'],
  tag: 'keys',
  summary: 'Revokes one of your API keys permanently',
  description: 'The revocation takes effect within 5 seconds. You can repeat the request safely.',
  params: z.object({ id: z.string().regex(/^[0-9a-f-]{36}$/, 'must be the id of an API key (UUID)') }),
  query: z.object({}),
  response: z.unknown(),
  errors: ['bad_query', 'unauthorized', 'not_found', 'store_unavailable'],
  access: 'token',
  successStatus: 204,
  maxAgeSeconds: 0,
  example: '/keys/00000000-0000-0000-0000-000000000000',
  handle: async ({ admission }: KeyDeps, { params, identity }) => {
    await admission.credentials.keys.revoke(identity.id, params.id);
    return new OtherReply('application/json', '', {}, undefined, 204);
  },
});

export const verifyKey = defineRoute({
  id: 'verifyKey',
  base: '/api/v1',
  path: '/keys/verify',
  methods: ['get'],
  tag: 'keys',
  summary: 'Validity, owner and usage of the API key in the header X-API-Key',
  description: 'The usage counts of the API key are at most one second old.',
  params: z.object({}),
  query: z.object({}),
  response: z
    .strictObject({
      valid: z.literal(true),
      id: z.string(),
      name: z.string(),
      owner: z.string(),
      usage: z.strictObject({
        today: Count.meta({ description: 'Number of requests with this API key on the current UTC day' }),
        total: Count,
        costToday: Count.meta({
          description: 'Cost of the requests with this API key on the current UTC day; each route has its own cost',
        }),
        costTotal: Count,
        lastUsedAt: IsoTime.nullable(),
      }),
      limit: z.strictObject({ perMinute: Count, enforced: z.boolean() }),
    })
    .meta({ id: 'KeyUsage' }),
  errors: ['unauthorized', 'invalid_api_key', 'key_revoked', 'store_unavailable'],
  access: 'key',
  maxAgeSeconds: 0,
  example: '/keys/verify',
  handle: async ({ admission: { usage, rates } }: KeyDeps, { key }) => {
    const { usedMs, ...counts } = await usage.of(key.key.id);
    const { perMinute, mode } = rates.settings;
    return {
      valid: true as const,
      id: key.key.id,
      name: key.key.name,
      owner: key.key.owner,
      usage: { ...counts, lastUsedAt: isoTimeOrNull(usedMs) },
      limit: {
        perMinute: key.identity.isOperator ? perMinute.operator : perMinute.keyed,
        enforced: mode === 'enforce',
      },
    };
  },
});
