/** Server-sent events. @source conventions M3 */

import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { type StreamDeps, streamEvents } from '../../http/event-stream.ts';
import type { AddressSets } from '../../read/deposits/address-sets.ts';
import { setEvents } from '../../read/deposits/set-events.ts';
import { anchorEvent } from '../../read/deposits/stream-event.ts';
import type { StoreDeps } from '../../read/reader-deps.ts';
import { SetId } from './address-set.ts';

const LastEventId = z.string().optional().meta({
  description:
    'Last received event id, like the header Last-Event-ID: the stream continues after it; 0: from the first stored event',
});

export const streamHeads = defineRoute({
  id: 'streamHeads',
  base: '/api/v1',
  path: '/stream/heads',
  methods: ['get'],
  tag: 'deposits',
  summary:
    'Server-sent events anchor.added and anchor.removed for every change of the head, in order without gaps. Last-Event-ID resumes the stream',
  section: '6',
  params: z.object({}),
  query: z.object({ lastEventId: LastEventId }),
  response: z.string(),
  errors: ['bad_query', 'rate_limited', 'store_unavailable'],
  maxAgeSeconds: 0,
  mediaTypes: ['text/event-stream; charset=utf-8'],
  example: '/stream/heads?lastEventId=0',
  handle: (deps: StreamDeps, { query, ...request }) =>
    streamEvents(deps, request, query.lastEventId, async (steps) => steps.map((step) => anchorEvent(step))),
});

export const streamAddressSet = defineRoute({
  ...streamHeads,
  id: 'streamAddressSet',
  path: '/stream/address-sets/:id',
  summary:
    'Server-sent events for native transfers to an address set: transfer.seen, transfer.creditable at 20 confirmations and transfer.removed, each once. Last-Event-ID resumes the stream',
  params: z.object({ id: SetId }),
  errors: ['bad_query', 'not_found', 'rate_limited', 'store_unavailable'],
  example: '/stream/address-sets/{addressSet}',
  handle: async (
    deps: StreamDeps & StoreDeps & { readonly addressSets: AddressSets },
    { query, params, ...request },
  ) => {
    await deps.addressSets.require(params.id);
    return streamEvents(deps, request, query.lastEventId, setEvents(deps, params.id));
  },
});
