/** Sets of deposit addresses: made, changed, removed. @source conventions M4 */
import { z } from 'zod';
import { isoTimeOfMs } from '#chain/codec/iso-time.ts';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { type AddressLists, addressListBytes, readAddressLists } from '../../read/deposits/address-lists.ts';
import { type AddressSet, type AddressSets, unusedMs } from '../../read/deposits/address-sets.ts';
import type { SnapshotDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { BlockNumber, Count, IsoTime } from '../../terms/primitives.ts';

export const SetId = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'must be the id of an address set')
  .meta({ description: 'Id that POST /address-sets gave' });

const Reply = z
  .strictObject({ id: z.string(), addresses: Count, createdAt: IsoTime, expiresUnusedAt: IsoTime, limit: Count })
  .meta({ id: 'AddressSet' });

const Changed = Reply.extend({
  completeFromBlock: Count.nullable().meta({
    description:
      'The transfers of this set hold every deposit to the added addresses from this block on, whatever cursor is used; null: nothing was added',
  }),
  catchUp: z.string().nullable().meta({
    description:
      'Path of one walk through the deposits to the added addresses alone, from `since` to the block before completeFromBlock; cursors that have passed those blocks miss them',
  }),
}).meta({ id: 'AddressSetChange' });

interface SetDeps {
  readonly addressSets: AddressSets;
}

const body = {
  schema: z.custom<AddressLists>(),
  maxBytes: ({ addressSets }: SetDeps) => addressListBytes(addressSets.maxMembers),
  read: (chunks: AsyncIterable<Buffer>, { addressSets }: SetDeps) => readAddressLists(chunks, addressSets.maxMembers),
  example: { addresses: ['{account}'] },
};

async function replyOf(sets: AddressSets, set: AddressSet): Promise<z.input<typeof Reply>> {
  return {
    id: set.id,
    addresses: await sets.size(set),
    limit: sets.maxMembers,
    createdAt: isoTimeOfMs(set.createdMs),
    expiresUnusedAt: isoTimeOfMs(Math.max(set.usedMs, Date.now()) + unusedMs),
  };
}

export const postAddressSet = defineRoute({
  id: 'postAddressSet',
  base: '/api/v1',
  path: '/address-sets',
  methods: ['post'],
  tag: 'deposits',
  summary:
    'Makes a set of addresses to watch. The body is {"addresses": […]}, an array, or NDJSON, gzip or plain; a set that is not used for a day is removed',
  section: '4.14',
  params: z.object({}),
  query: z.object({}),
  body,
  response: Reply,
  errors: ['bad_query', 'payload_too_large', 'unsupported_media_type', 'store_unavailable'],
  maxAgeSeconds: 0,
  successStatus: 201,
  example: '/address-sets',
  handle: async ({ addressSets }: SetDeps, { body: { add, remove } }) => {
    if (remove.length > 0 || add.length === 0) throw new ApiProblem('bad_query', 'a new set needs addresses');
    return replyOf(addressSets, await addressSets.create(add));
  },
});

export const patchAddressSet = defineRoute({
  ...postAddressSet,
  id: 'patchAddressSet',
  path: '/address-sets/:id',
  methods: ['patch'],
  summary:
    'Adds addresses to a set and takes others out: {"add": […], "remove": […]}. Deposits to the added ones that lie before a cursor are found by the path in catchUp',
  params: z.object({ id: SetId }),
  query: z.object({
    since: BlockNumber.optional().meta({
      description: 'First block in which the added addresses may have deposits; absent: the first one indexed',
    }),
  }),
  response: Changed,
  errors: ['bad_query', 'not_found', 'payload_too_large', 'unsupported_media_type', 'store_unavailable'],
  successStatus: 200,
  example: '/address-sets/{addressSet}',
  handle: async (deps: SetDeps & SnapshotDeps, { body: { add, remove }, params: { id }, query: { since } }) => {
    const { addressSets } = deps;
    const set = await addressSets.require(id);
    const addedMs = await addressSets.change(set, add, remove);
    // members are read with every page: a page that is read after this knows them, and none has passed the head yet
    const state = await deps.snapshots.current();
    if (!state) throw new ApiProblem('indexing', 'nothing is indexed yet');
    const { head, startBlock } = state;
    const first = since ?? startBlock;
    const walk = new URLSearchParams({ addedSince: String(addedMs), fromBlock: String(first), toBlock: String(head) });
    const isLate = add.length > 0 && first <= head;
    return {
      ...(await replyOf(addressSets, set)),
      completeFromBlock: add.length === 0 ? null : head + 1,
      catchUp: isLate ? `/api/v1/address-sets/${id}/transfers?${walk}` : null,
    };
  },
});

export const getAddressSet = defineRoute({
  id: 'getAddressSet',
  base: '/api/v1',
  path: '/address-sets/:id',
  methods: ['get'],
  tag: 'deposits',
  summary: 'An address set: how many addresses it has, and until when it is kept',
  section: '4.14',
  params: z.object({ id: SetId }),
  query: z.object({}),
  response: Reply,
  errors: ['bad_query', 'not_found', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: '/address-sets/{addressSet}',
  handle: async ({ addressSets }: SetDeps, { params }) => replyOf(addressSets, await addressSets.require(params.id)),
});

export const deleteAddressSet = defineRoute({
  ...getAddressSet,
  id: 'deleteAddressSet',
  methods: ['delete'],
  summary: 'Removes an address set',
  handle: async ({ addressSets }: SetDeps, { params }) => {
    await addressSets.remove(await addressSets.require(params.id));
    return new OtherReply('application/json', '', {}, undefined, 204);
  },
});
