import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { readGasPrices } from '../../read/chain/gas-prices.ts';
import type { CoverageDeps, SnapshotDeps, StoreDeps } from '../../read/reader-deps.ts';
import { Count, IndexInfo, Wei } from '../../terms/primitives.ts';

const Price = z
  .strictObject({
    maxPriorityFeePerGas: Wei,
    maxFeePerGas: Wei.meta({
      description:
        'Suggested maxFeePerGas, wei: twice the next base fee plus the tip. This is enough for the next six blocks, even if they are full',
    }),
    estSeconds: z.number().nullable().meta({
      description:
        'Mean waiting time of a transaction with this tip, seconds, according to recent blocks; null if no recent block accepted such a tip',
    }),
  })
  .meta({ id: 'GasPrice' });

const GasOracle = z
  .strictObject({
    lastBlock: Count,
    baseFee: Wei.nullable(),
    nextBaseFee: Wei.nullable().meta({
      description: 'Base fee of the next block according to EIP-1559; null if the chain has no base fees',
    }),
    slow: Price,
    average: Price,
    fast: Price,
    gasUsedRatio: z
      .array(z.number())
      .meta({ description: 'Gas used divided by gas limit, for each of the latest blocks, oldest first' }),
    window: z.strictObject({ blocks: Count, transactions: Count }),
    index: IndexInfo,
  })
  .meta({ id: 'GasOracle' });

/**
 * Suggested tips are medians over 200 blocks of the percentiles 35, 60 and 90 of the tips in each block.
 * @source docs/economy.md#gas-apiv1gasoracle
 */
export const getGasOracle = defineRoute({
  id: 'getGasOracle',
  base: '/api/v1',
  path: '/gas/oracle',
  methods: ['get'],
  tag: 'network',
  summary: 'Current gas prices',
  description: 'Returns a slow, an average and a fast gas price, computed from recent blocks.',
  params: z.object({}),
  query: z.object({}),
  response: GasOracle,
  errors: ['indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/gas/oracle',
  handle: (deps: SnapshotDeps & StoreDeps & CoverageDeps) =>
    deps.snapshots.run(async (state) => (await readGasPrices(deps, state)).gasPrices),
});
