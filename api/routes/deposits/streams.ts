/** @source docs/deposits.md#events-instead-of-polling */

import { z } from 'zod';
import { getLast } from '#runtime/lists.ts';
import { defineRoute } from '../../http/define-route.ts';
import { type StreamDeps, streamEvents } from '../../http/event-stream.ts';
import type { AddressSets } from '../../read/deposits/address-sets.ts';
import { setEvents } from '../../read/deposits/set-events.ts';
import { anchorEvent } from '../../read/deposits/stream-event.ts';
import type { SnapshotDeps, StoreDeps } from '../../read/reader-deps.ts';
import { Count, HexAddress, HexHash, UnixSeconds, Wei } from '../../terms/primitives.ts';
import { SetId } from './address-set.ts';

const LastEventId = z.string().optional().meta({
  description:
    'Id of the last event that the client received, like the header Last-Event-ID: the stream continues after this event. 0: the stream starts with the first stored event',
});

const eventStream = 'text/event-stream; charset=utf-8';

const removed = z.strictObject({ sequence: Count, number: Count, hash: HexHash });
const headEvents = {
  'anchor.added': removed.extend({ parentHash: HexHash, timestamp: UnixSeconds }).meta({ id: 'AnchorAdded' }),
  'anchor.removed': removed.meta({ id: 'AnchorRemoved' }),
};
const Transfer = z
  .strictObject({
    txHash: HexHash,
    blockNumber: Count,
    blockHash: HexHash,
    txIndex: Count,
    from: HexAddress,
    to: HexAddress.nullable(),
    value: Wei,
    timestamp: UnixSeconds,
    confirmations: Count.nullable().meta({
      description: 'Number of confirmations of the transfer; null if a reorg removed it',
    }),
  })
  .meta({ id: 'StreamedTransfer' });

const HeadEvents = z
  .strictObject(headEvents)
  .meta({ id: 'HeadEvents', description: 'Format of the data of each stream event, by event name' });
const AddressSetEvents = z
  .strictObject({
    ...headEvents,
    'transfer.seen': Transfer,
    'transfer.creditable': Transfer,
    'transfer.removed': Transfer,
  })
  .meta({ id: 'AddressSetEvents', description: 'Format of the data of each stream event, by event name' });

export const streamHeads = defineRoute({
  id: 'streamHeads',
  base: '/api/v1',
  path: '/stream/heads',
  methods: ['get'],
  tag: 'deposits',
  summary: 'Event stream of new blocks and reorgs',
  description:
    'Sends the events anchor.added (new block) and anchor.removed (block removed by a reorg), in order and without gaps. To resume the stream, send the header Last-Event-ID.',
  params: z.object({}),
  query: z.object({ lastEventId: LastEventId }),
  headers: z.object({
    'Last-Event-ID': z.string().optional().meta({
      description:
        'Id of the last event that the client received, like the parameter `lastEventId`. Browsers send this header when they reconnect',
    }),
  }),
  response: z.string(),
  errors: ['bad_query', 'rate_limited', 'store_unavailable'],
  maxAgeSeconds: 0,
  mediaTypes: [eventStream],
  item: { [eventStream]: HeadEvents },
  example: '/stream/heads?lastEventId=0',
  handle: (deps: StreamDeps, { query, ...request }) =>
    streamEvents(deps, request, query.lastEventId, async (steps) => ({
      events: steps.map((step) => anchorEvent(step)),
      through: getLast(steps).sequence,
    })),
});

export const streamAddressSet = defineRoute({
  ...streamHeads,
  id: 'streamAddressSet',
  path: '/stream/address-sets/:id',
  summary: 'Event stream of native coin transfers to an address set',
  description:
    'Sends transfer.seen for a new transfer, transfer.creditable at 20 confirmations, and transfer.removed after a reorg, each once. It also sends the events of /stream/heads. To resume the stream, send the header Last-Event-ID.',
  params: z.object({ id: SetId }),
  errors: ['bad_query', 'not_found', 'rate_limited', 'store_unavailable'],
  item: { [eventStream]: AddressSetEvents },
  example: '/stream/address-sets/{addressSet}',
  handle: async (
    deps: StreamDeps & StoreDeps & SnapshotDeps & { readonly addressSets: AddressSets },
    { query, params, ...request },
  ) => {
    await deps.addressSets.require(params.id);
    return streamEvents(deps, request, query.lastEventId, setEvents(deps, params.id));
  },
});
