import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { fat } from '../../read/charts/decimals.ts';
import type { ChainDeps } from '../../read/reader-deps.ts';
import { readIndexInfo, supplyHeaders } from '../../read/supply/as-of.ts';
import type { SupplyReaderDeps } from '../../read/supply/supply-reader.ts';
import { reconciliationReply, SupplyReconciliation } from './reconciliation-reply.ts';

const shared = {
  base: '/api/v1',
  methods: ['get'],
  tag: 'supply',
  params: z.object({}),
  query: z.object({}),
  errors: ['indexing', 'store_unavailable', 'node_unavailable'],
  maxAgeSeconds: 0,
} as const;

/** @source docs/economy.md#supply-apiv1supply */
export const getSupplyReconciliation = defineRoute({
  ...shared,
  id: 'getSupplyReconciliation',
  path: '/supply/reconciliation',
  summary: 'Supply of the native coin, with all components and sources',
  description: 'The reply also compares the amounts burned on the old chains with the amounts migrated to this chain.',
  response: SupplyReconciliation,
  example: '/supply/reconciliation',
  handle: async (deps: SupplyReaderDeps & ChainDeps) =>
    reconciliationReply(deps, await deps.supply.read(deps), await readIndexInfo(deps)),
});

/** Returns the supply as a plain number, as coin listing services expect. Headers contain its block. */
const plainNumber = async (deps: SupplyReaderDeps, which: 'total' | 'circulating') => {
  const supply = await deps.supply.read(deps);
  return new OtherReply('text/plain; charset=utf-8', fat(supply[which]), await supplyHeaders(deps, supply));
};

export const getSupplyTotal = defineRoute({
  ...shared,
  id: 'getSupplyTotal',
  path: '/supply/total',
  summary: 'Total supply in FAT',
  description: 'Returns only a decimal number, the same as total.fat in /supply/reconciliation at the same block.',
  response: z.string(),
  mediaTypes: ['text/plain; charset=utf-8'],
  example: '/supply/total',
  handle: (deps: SupplyReaderDeps) => plainNumber(deps, 'total'),
});

export const getSupplyCirculating = defineRoute({
  ...shared,
  id: 'getSupplyCirculating',
  path: '/supply/circulating',
  summary: 'Circulating supply in FAT',
  description:
    'Returns only a decimal number, the same as circulating.fat in /supply/reconciliation at the same block.',
  response: z.string(),
  mediaTypes: ['text/plain; charset=utf-8'],
  example: '/supply/circulating',
  handle: (deps: SupplyReaderDeps) => plainNumber(deps, 'circulating'),
});
