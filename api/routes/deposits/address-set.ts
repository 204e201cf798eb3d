/** @source docs/deposits.md#or-write-your-own */
import { z } from 'zod';
import { isoTimeFromMs } from '#chain/codec/iso-time.ts';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { assertIndexed, nothingIndexed } from '../../read/chain/snapshot-reader.ts';
import { type AddressLists, addressListBytes, readAddressLists } from '../../read/deposits/address-lists.ts';
import { type AddressSet, type AddressSets, unusedMs } from '../../read/deposits/address-sets.ts';
import type { SnapshotDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Address, BlockNumber, Count, IsoTime } from '../../terms/primitives.ts';

export const SetId = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'must be an address set id (32 hex digits)')
  .meta({ description: 'Id of the address set, returned by POST /address-sets' });

const Reply = z
  .strictObject({ id: z.string(), addresses: Count, createdAt: IsoTime, expiresUnusedAt: IsoTime, limit: Count })
  .meta({ id: 'AddressSet' });

const Changed = Reply.extend({
  completeFromBlock: Count.nullable().meta({
    description:
      'From this block on, pages of the address set include deposits to the added addresses, whichever cursor is used; null if no address was added',
  }),
  catchUp: z.string().nullable().meta({
    description:
      'Path that lists deposits to the added addresses, from block `since` up to the block before completeFromBlock; null if there are no such blocks. A cursor that is already past these blocks does not return these deposits. Add minConfirmations and tokens of your other requests to the path',
  }),
}).meta({ id: 'AddressSetChange' });

interface SetDeps {
  readonly addressSets: AddressSets;
}

const body = {
  schema: z.custom<AddressLists>(),
  maxBytes: ({ addressSets }: SetDeps) => addressListBytes(addressSets.maxMembers),
  read: (chunks: AsyncIterable<Buffer>, { addressSets }: SetDeps) => readAddressLists(chunks, addressSets.maxMembers),
  shown: z.union([z.strictObject({ addresses: z.array(Address) }), z.array(Address)]),
  mediaTypes: ['application/json', 'application/x-ndjson'],
  example: { addresses: ['{account}'] },
};
const changeBody = {
  ...body,
  shown: z.strictObject({ add: z.array(Address).optional(), remove: z.array(Address).optional() }),
  example: { add: ['{account}'] },
};

async function toReply(sets: AddressSets, set: AddressSet): Promise<z.input<typeof Reply>> {
  return {
    id: set.id,
    addresses: await sets.size(set),
    limit: sets.maxMembers,
    createdAt: isoTimeFromMs(set.createdMs),
    expiresUnusedAt: isoTimeFromMs(Math.max(set.usedMs, Date.now()) + unusedMs),
  };
}

/** Approximate compressed size of a stored address. */
const bytesPerAddress = 24;
const storedBytes = (addresses: readonly string[]) => bytesPerAddress * addresses.length;

export const postAddressSet = defineRoute({
  id: 'postAddressSet',
  base: '/api/v1',
  path: '/address-sets',
  methods: ['post'],
  tag: 'deposits',
  summary: 'Creates a set of deposit addresses to watch',
  description:
    'The body is either a JSON object with the field addresses, or a JSON array of addresses, or NDJSON. It may be gzipped. The service deletes an address set that is not used for a day.',
  params: z.object({}),
  query: z.object({}),
  body,
  response: Reply,
  errors: ['bad_query', 'payload_too_large', 'unsupported_media_type', 'rate_limited', 'store_unavailable'],
  maxAgeSeconds: 0,
  successStatus: 201,
  example: '/address-sets',
  handle: async ({ addressSets }: SetDeps, { body: { add, remove }, keep }) => {
    if (remove.length > 0 || add.length === 0)
      throw new ApiProblem('bad_query', 'a new address set needs at least one address and accepts no "remove"');
    await keep(storedBytes(add));
    return toReply(addressSets, await addressSets.create(add));
  },
});

export const patchAddressSet = defineRoute({
  ...postAddressSet,
  id: 'patchAddressSet',
  path: '/address-sets/:id',
  methods: ['patch'],
  summary: 'Adds addresses to an address set, and removes addresses from it',
  description: 'Request the path in the field catchUp to get earlier deposits to the addresses that you added.',
  params: z.object({ id: SetId }),
  query: z.object({
    since: BlockNumber.optional().meta({
      description: 'First block that may contain deposits to the added addresses (default: first indexed block)',
    }),
  }),
  body: changeBody,
  response: Changed,
  errors: ['bad_query', 'not_found', 'payload_too_large', 'unsupported_media_type', 'store_unavailable'],
  successStatus: 200,
  example: '/address-sets/{addressSet}',
  handle: async (deps: SetDeps & SnapshotDeps, { body: { add, remove }, params: { id }, query: { since }, keep }) => {
    const { addressSets } = deps;
    await assertIndexed(deps.snapshots);
    const set = await addressSets.require(id);
    const addedMs = await addressSets.change(set, add, remove, (added) => keep(storedBytes(added)));
    // later pages include the added addresses, and no cursor is above the head, so reading up to the head is enough
    const state = await deps.snapshots.fresh();
    if (!state) throw nothingIndexed();
    const { head, startBlock } = state;
    const first = Math.max(since ?? 0, startBlock);
    const walk = new URLSearchParams({ addedSince: String(addedMs), fromBlock: String(first), toBlock: String(head) });
    const needsCatchUp = add.length > 0 && first <= head;
    return {
      ...(await toReply(addressSets, set)),
      completeFromBlock: add.length === 0 ? null : head + 1,
      catchUp: needsCatchUp ? `/api/v1/address-sets/${id}/transfers?${walk}` : null,
    };
  },
});

export const getAddressSet = defineRoute({
  id: 'getAddressSet',
  base: '/api/v1',
  path: '/address-sets/:id',
  methods: ['get'],
  tag: 'deposits',
  summary: 'Size and expiry of an address set',
  params: z.object({ id: SetId }),
  query: z.object({}),
  response: Reply,
  errors: ['bad_query', 'not_found', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: '/address-sets/{addressSet}',
  handle: async ({ addressSets }: SetDeps, { params }) => toReply(addressSets, await addressSets.require(params.id)),
});

export const deleteAddressSet = defineRoute({
  ...getAddressSet,
  id: 'deleteAddressSet',
  methods: ['delete'],
  summary: 'Removes an address set',
  response: z.unknown(),
  successStatus: 204,
  handle: async ({ addressSets }: SetDeps, { params }) => {
    await addressSets.remove(await addressSets.require(params.id));
    return new OtherReply('application/json', '', {}, undefined, 204);
  },
});
