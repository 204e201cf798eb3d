import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { readGasPrices } from '../../read/chain/gas-prices.ts';
import type { CoverageDeps, SnapshotDeps, StoreDeps } from '../../read/reader-deps.ts';
import { Count, IndexInfo, Wei } from '../../terms/primitives.ts';

const Price = z
  .strictObject({
    maxPriorityFeePerGas: Wei,
    maxFeePerGas: Wei.meta({ description: 'Twice the next base fee plus the tip: holds through six full blocks' }),
    estSeconds: z.number().nullable().meta({
      description:
        'Mean time until a block of the window took such a tip, measured from every block of it; null where none did',
    }),
  })
  .meta({ id: 'GasPrice' });

const GasOracle = z
  .strictObject({
    lastBlock: Count,
    baseFee: Wei.nullable(),
    nextBaseFee: Wei.nullable().meta({ description: 'Base fee of the next block, EIP-1559' }),
    slow: Price,
    average: Price,
    fast: Price,
    gasUsedRatio: z.array(z.number()).meta({ description: 'Of the latest blocks, oldest first' }),
    window: z.strictObject({ blocks: Count, transactions: Count }),
    index: IndexInfo,
  })
  .meta({ id: 'GasOracle' });

/** @source specification 4.2; tips at ranks 35, 60 and 90 of each block, the median of them over 200 blocks */
export const getGasOracle = defineRoute({
  id: 'getGasOracle',
  base: '/api/v1',
  path: '/gas/oracle',
  methods: ['get'],
  tag: 'network',
  summary: 'What gas costs now: three prices from what recent blocks took',
  section: '4.2',
  params: z.object({}),
  query: z.object({}),
  response: GasOracle,
  errors: ['indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/gas/oracle',
  handle: (deps: SnapshotDeps & StoreDeps & CoverageDeps) =>
    deps.snapshots.run(async (state) => (await readGasPrices(deps, state)).gasPrices),
});
