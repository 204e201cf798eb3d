/** Server-sent events. @source docs/deposits.md#events-instead-of-polling */

import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { type StreamDeps, streamEvents } from '../../http/event-stream.ts';
import type { AddressSets } from '../../read/deposits/address-sets.ts';
import { setEvents } from '../../read/deposits/set-events.ts';
import { anchorEvent } from '../../read/deposits/stream-event.ts';
import type { StoreDeps } from '../../read/reader-deps.ts';
import { Count, HexAddress, HexHash, UnixSeconds, Wei } from '../../terms/primitives.ts';
import { SetId } from './address-set.ts';

const LastEventId = z.string().optional().meta({
  description:
    'Last received event id, like the header Last-Event-ID: the stream continues after it; 0: from the first stored event',
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

/** Data of each event, by event name. */
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
    'Sends anchor.added and anchor.removed for every change of the head, in order without gaps. Last-Event-ID resumes the stream.',
  params: z.object({}),
  query: z.object({ lastEventId: LastEventId }),
  headers: z.object({
    'Last-Event-ID': z.string().optional().meta({
      description:
        'Id of the last event that the client received, same as parameter lastEventId; browsers send it when they reconnect',
    }),
  }),
  response: z.string(),
  errors: ['bad_query', 'rate_limited', 'store_unavailable'],
  maxAgeSeconds: 0,
  mediaTypes: [eventStream],
  item: { [eventStream]: HeadEvents },
  example: '/stream/heads?lastEventId=0',
  handle: (deps: StreamDeps, { query, ...request }) =>
    streamEvents(deps, request, query.lastEventId, async (steps) => steps.map((step) => anchorEvent(step))),
});

export const streamAddressSet = defineRoute({
  ...streamHeads,
  id: 'streamAddressSet',
  path: '/stream/address-sets/:id',
  summary: 'Event stream of native transfers to the addresses of a set',
  description:
    'Sends transfer.seen, transfer.creditable at 20 confirmations and transfer.removed, each once, and the changes of the head. Last-Event-ID resumes the stream.',
  params: z.object({ id: SetId }),
  errors: ['bad_query', 'not_found', 'rate_limited', 'store_unavailable'],
  item: { [eventStream]: AddressSetEvents },
  example: '/stream/address-sets/{addressSet}',
  handle: async (
    deps: StreamDeps & StoreDeps & { readonly addressSets: AddressSets },
    { query, params, ...request },
  ) => {
    await deps.addressSets.require(params.id);
    return streamEvents(deps, request, query.lastEventId, setEvents(deps, params.id));
  },
});
