/** @source docs/identity.md#watch-list */
import { z } from 'zod';
import { isoTimeFromMs, isoTimeOrNull } from '#chain/codec/iso-time.ts';
import type { OutboundNetwork } from '#runtime/outbound/outbound.ts';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import {
  freshProgress,
  maxWatchedAddresses,
  maxWatchesOfOwner,
  type Watch,
  type Watches,
} from '../../read/account/watches.ts';
import { assertWebhookUrl } from '../../read/account/webhook.ts';
import type { AnchorEvents } from '../../read/deposits/anchor-events.ts';
import { endOfStep, parsePosition, positionText } from '../../read/deposits/stream-event.ts';
import { Address, Count, HexAddress, IsoTime } from '../../terms/primitives.ts';
import { accountErrors, accountRoute, receiverFields, receiverReply } from './common.ts';

/** Stored bytes of a watch, and of each of its addresses. They count against the bytes per day. */
const rowBytes = 64;

interface WatchDeps {
  readonly watches: Watches;
}

interface WatchWriteDeps extends WatchDeps {
  readonly anchorEvents: AnchorEvents;
  readonly outbound: OutboundNetwork;
}

const WatchReply = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    url: z.string(),
    addresses: z.array(HexAddress),
    secret: z.string().meta({ description: 'Key that signs the notifications (Standard Webhooks)' }),
    createdAt: IsoTime,
    lastEventId: z.string().meta({ description: 'Id of the last processed event; all earlier events were delivered' }),
    delivered: Count.meta({ description: 'Number of notifications that the receiver accepted' }),
    deliveredAt: IsoTime.nullable(),
    attempts: Count.meta({ description: 'Number of failed attempts so far to deliver the next notification' }),
    ...receiverFields,
  })
  .meta({ id: 'Watch' });

const WatchId = z.string().regex(/^[0-9a-f]{32}$/, 'must be the id of a watch (32 hex digits)');

function watchReply(deps: WatchDeps, watch: Watch, addresses: readonly string[]): z.input<typeof WatchReply> {
  const { id, name, url, createdMs, progress } = watch;
  const { position, delivered, deliveredMs, attempts } = progress;
  return {
    ...{ id, name, url, delivered, attempts },
    addresses: [...addresses],
    secret: deps.watches.secret(id),
    createdAt: isoTimeFromMs(createdMs),
    lastEventId: position,
    deliveredAt: isoTimeOrNull(deliveredMs),
    ...receiverReply(progress),
  };
}

async function readReply(deps: WatchDeps, watch: Watch): Promise<z.input<typeof WatchReply>> {
  return watchReply(deps, watch, (await deps.watches.addresses([watch.id])).get(watch.id) ?? []);
}

export const listWatches = defineRoute({
  ...accountRoute,
  id: 'listWatches',
  path: '/watches',
  methods: ['get'],
  summary: 'Your watches: addresses whose transfers are sent to a URL',
  params: z.object({}),
  response: z.strictObject({ items: z.array(WatchReply), limit: Count }).meta({ id: 'Watches' }),
  errors: [...accountErrors],
  example: '/watches',
  handle: async (deps: WatchDeps, { identity }) => {
    const watches = await deps.watches.list(identity.id);
    const addresses = await deps.watches.addresses(watches.map(({ id }) => id));
    return {
      items: watches.map((watch) => watchReply(deps, watch, addresses.get(watch.id) ?? [])),
      limit: maxWatchesOfOwner,
    };
  },
});

export const createWatch = defineRoute({
  ...accountRoute,
  id: 'createWatch',
  path: '/watches',
  methods: ['post'],
  summary: 'Watches addresses: sends their transfers to a URL',
  description:
    'Sends events by POST in the format of Standard Webhooks: transfer.seen, transfer.creditable and transfer.removed for the native coin, token.creditable for tokens. The field direction is in if the recipient is watched, out if the sender is, and both if both are. Internal transfers are not included. If the receiver does not answer with a 2xx status within 10 seconds, the service tries again, for up to three days.',
  params: z.object({}),
  body: {
    schema: z.strictObject({
      url: z.string().max(2_000, 'must have at most 2000 characters'),
      addresses: z
        .array(Address)
        .min(1, 'must contain at least one address')
        .max(maxWatchedAddresses, `must contain at most ${maxWatchedAddresses} addresses`),
      name: z.string().max(64, 'must have at most 64 characters').default(''),
    }),
    maxBytes: 65_536,
    example: { url: 'https://example.com/hook', addresses: ['{account}'] },
  },
  response: WatchReply,
  errors: [...accountErrors, 'payload_too_large', 'rate_limited'],
  cost: 5,
  example: '/watches',
  successStatus: 201,
  handle: async (deps: WatchWriteDeps, { body, identity, address, keep }) => {
    assertWebhookUrl(body.url, deps.outbound);
    const addresses = [...new Set(body.addresses)];
    await keep(rowBytes * (2 + addresses.length)); // removed watches count too
    const position = positionText(endOfStep(await deps.anchorEvents.last()));
    const watch = await deps.watches.create(identity.id, address, { ...body, addresses }, position);
    return watchReply(deps, watch, addresses);
  },
});

export const getWatch = defineRoute({
  ...accountRoute,
  id: 'getWatch',
  path: '/watches/:id',
  methods: ['get'],
  summary: 'One of your watches, with the progress of its notifications',
  params: z.object({ id: WatchId }),
  response: WatchReply,
  errors: [...accountErrors, 'not_found'],
  example: '/watches/00000000000000000000000000000000',
  handle: async (deps: WatchDeps, { params, identity }) =>
    readReply(deps, await deps.watches.require(identity.id, params.id)),
});

export const deleteWatch = defineRoute({
  ...accountRoute,
  id: 'deleteWatch',
  path: '/watches/:id',
  methods: ['delete'],
  summary: 'Stops a watch and deletes it',
  params: z.object({ id: WatchId }),
  response: z.unknown(),
  errors: [...accountErrors, 'not_found'],
  successStatus: 204,
  example: '/watches/00000000000000000000000000000000',
  handle: async (deps: WatchDeps, { params, identity }) => {
    await deps.watches.remove(await deps.watches.require(identity.id, params.id));
    return new OtherReply('application/json', '', {}, undefined, 204);
  },
});

export const replayWatch = defineRoute({
  ...accountRoute,
  id: 'replayWatch',
  path: '/watches/:id/replay',
  methods: ['post'],
  summary: 'Sends the notifications after an event again, or restarts a watch',
  description:
    'Ends a pause of the watch. With `after`, also sends all notifications again whose event id is greater than `after`; `after=0` sends all since the service first followed the head of the chain. A notification that is sent again keeps its webhook-id.',
  params: z.object({ id: WatchId }),
  response: WatchReply,
  body: {
    schema: z.strictObject({ after: z.string().max(40).optional() }).default({}),
    maxBytes: 1_024,
    mayBeAbsent: true,
    example: { after: '0' },
  },
  errors: [...accountErrors, 'not_found', 'payload_too_large'],
  cost: 5,
  example: '/watches/00000000000000000000000000000000/replay',
  handle: async (deps: WatchWriteDeps, { params, body, identity }) => {
    const watch = await deps.watches.require(identity.id, params.id);
    const { position, delivered, deliveredMs } = watch.progress;
    const newest = await deps.anchorEvents.last();
    const after = body.after === undefined ? position : positionText(parsePosition(body.after, newest, 'after'));
    const progress = { ...freshProgress, position: after, delivered, deliveredMs };
    return readReply(deps, await deps.watches.changeProgress(watch, progress));
  },
});
