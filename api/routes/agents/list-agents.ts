import { z } from 'zod';
import { isoTime } from '#chain/codec/iso-time.ts';
import { defineRoute } from '../../http/define-route.ts';
import { type AgentDeps, countAgents, readAgents } from '../../read/agents/read-agents.ts';
import { genesisIndexInfo } from '../../read/chain/freshness.ts';
import { makeKeyedPage } from '../../read/chain/paging.ts';
import type { ChainDeps, ListDeps } from '../../read/reader-deps.ts';
import { AddressLabel, type LabelDeps, readLabels } from '../../read/registry/address-labels.ts';
import { damaged, decodeCursor } from '../../terms/cursor.ts';
import {
  Count,
  HexAddress,
  HexHash,
  IsoTime,
  pageParameters,
  toListSchema,
  UnixSeconds,
} from '../../terms/primitives.ts';

const Agent = z
  .strictObject({
    chainId: Count,
    address: HexAddress,
    entity: HexHash.meta({
      description: 'Id of the registry entity (such as an application or partner) that the agent claims to be',
    }),
    name: z.string().nullable().meta({ description: 'Name that the agent gave at its registration' }),
    uri: z.string().nullable(),
    status: z.enum(['active', 'retired']),
    registeredBlock: Count,
    registered: UnixSeconds,
    registeredDatetime: IsoTime,
    retiredBlock: Count.nullable(),
    testimonies: Count,
    lastTestimonyBlock: Count.nullable(),
    labels: z.array(AddressLabel),
  })
  .meta({ id: 'AiAgent' });

/** @source docs/registry.md#agents-and-testimonies */
export const listAiAgents = defineRoute({
  id: 'listAiAgents',
  base: '/api/v1',
  path: '/ai-agents',
  methods: ['get'],
  tag: 'registry',
  summary: 'AI agents that registered on the chain',
  description: 'The AI agents that registered last come first.',
  params: z.object({}),
  query: z.object({
    status: z
      .enum(['active', 'retired'], 'must be active or retired')
      .optional()
      .meta({ description: 'Return only AI agents with this status' }),
    ...pageParameters,
  }),
  response: toListSchema(Agent).extend({
    total: Count.meta({
      description: 'Number of AI agents with the requested status, or of all AI agents if no status was requested',
    }),
    source: HexAddress.nullable().meta({
      description: 'Address of the contract with which agents register; null if none is configured',
    }),
    asOf: Count.meta({ description: 'Newest block that the list includes' }),
  }),
  errors: ['bad_query', 'invalid_cursor', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/ai-agents?limit=2',
  handle: (deps: ListDeps & AgentDeps & LabelDeps & ChainDeps, { query: { status, limit, cursor } }) => {
    const filter = deps.cursors(['ai agents', status ?? '']);
    const after = cursor === undefined ? undefined : decodeCursor(filter, cursor).key;
    if (after && !after.every(Number.isSafeInteger)) throw damaged();
    const before = after && { block: Number(after[0]), index: Number(after[1]) };
    return deps.snapshots.run(async (state) => {
      const [total, rows] = await Promise.all([
        countAgents(deps, state, status),
        readAgents(deps, state, { status, before, limit: limit + 1 }),
      ]);
      const { page, ...more } = makeKeyedPage(rows, filter, limit, (row) => [row.firstBlock, row.firstIndex]);
      const labels = await readLabels(
        deps,
        page.map(({ address }) => address),
      );
      const items = page.map(({ firstBlock, firstIndex: _, registeredAt, isRetired, ...agent }) => ({
        chainId: deps.settings.chainId,
        ...agent,
        status: isRetired ? ('retired' as const) : ('active' as const),
        registeredBlock: firstBlock,
        registered: registeredAt,
        registeredDatetime: isoTime(registeredAt),
        labels: labels.get(agent.address) ?? [],
      }));
      const source = deps.settings.testimonyContract ?? null;
      return { items, ...more, limit, index: genesisIndexInfo(deps, state), total, source, asOf: state.head };
    });
  },
});
