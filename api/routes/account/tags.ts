/** @source docs/identity.md#private-tags */
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { maxTags, type PrivateTags } from '../../read/account/private-tags.ts';
import { Address, Count, HexAddress } from '../../terms/primitives.ts';
import { accountErrors, accountRoute } from './common.ts';

interface TagDeps {
  readonly privateTags: PrivateTags;
}

const Tag = z.strictObject({ address: HexAddress, tag: z.string(), note: z.string() }).meta({ id: 'PrivateTag' });

export const listPrivateTags = defineRoute({
  ...accountRoute,
  id: 'listPrivateTags',
  path: '/private-tags',
  methods: ['get'],
  summary: 'Private names that you gave to addresses',
  description: 'Only you see these names. The explorer shows them on its pages while you are signed in.',
  params: z.object({}),
  response: z.strictObject({ items: z.array(Tag), limit: Count }).meta({ id: 'PrivateTags' }),
  errors: [...accountErrors],
  example: '/private-tags',
  handle: async ({ privateTags }: TagDeps, { identity }) => ({
    items: await privateTags.list(identity.id),
    limit: maxTags,
  }),
});

export const setPrivateTag = defineRoute({
  ...accountRoute,
  id: 'setPrivateTag',
  path: '/private-tags',
  methods: ['post'],
  summary: 'Gives an address a private name, or changes the name',
  description: `Only you see the name. Limit: ${maxTags} names per identity.`,
  params: z.object({}),
  body: {
    schema: z.strictObject({
      address: Address,
      tag: z.string().trim().min(1, 'must not be empty').max(64, 'must have at most 64 characters'),
      note: z.string().max(500, 'must have at most 500 characters').default(''),
    }),
    maxBytes: 4_096,
    example: { address: '{account}', tag: 'my exchange account' },
  },
  response: Tag,
  errors: [...accountErrors, 'payload_too_large', 'rate_limited'],
  example: '/private-tags',
  handle: async ({ privateTags }: TagDeps, { body, identity, keep }) => {
    await keep(Buffer.byteLength(JSON.stringify(body))); // removed names count too
    await privateTags.set(identity.id, body);
    return body;
  },
});

export const deletePrivateTag = defineRoute({
  ...accountRoute,
  id: 'deletePrivateTag',
  path: '/private-tags/:address',
  methods: ['delete'],
  summary: 'Removes a private name',
  params: z.object({ address: Address }),
  response: z.unknown(),
  errors: [...accountErrors, 'not_found'],
  successStatus: 204,
  example: '/private-tags/{account}',
  handle: async ({ privateTags }: TagDeps, { params, identity }) => {
    await privateTags.remove(identity.id, params.address);
    return new OtherReply('application/json', '', {}, undefined, 204);
  },
});
