import { z } from 'zod';
import { snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import { defineRoute } from '../../define-route.ts';
import { indexInfo } from '../../freshness.ts';
import { Count, HexAddress, IndexInfo, IsoTime, UnixSeconds, Wei } from '../../schema/primitives.ts';
import { isoTime } from '../history-row.ts';
import { shareOf } from '../tokens/list-holders.ts';

/** Blocks in which an active validator has produced at least one. */
const windowBlocks = 10_000;
const maxValidators = 1_000;

const Validator = z
  .strictObject({
    address: HexAddress,
    blocks: Count.meta({ description: 'Blocks produced in the window' }),
    share: z.string().nullable().meta({ description: 'Part of the blocks of the window, 0 to 1' }),
    tips: Wei.meta({ description: 'Fees above the burned base fee in those blocks' }),
    lastBlock: Count,
    lastSeen: UnixSeconds,
    lastSeenDatetime: IsoTime,
  })
  .meta({ id: 'Validator' });

interface ProducerRecord {
  address: string;
  block_count: string;
  last_block: string;
  last_time: number;
  tips: string;
  window_total: string;
  producers: string;
}

/** @source specification 4.2; derived from the producers of the newest blocks */
export const listValidators = defineRoute({
  id: 'listValidators',
  base: '/api/v1',
  path: '/validators',
  methods: ['get'],
  tag: 'network',
  summary: 'Active validators: producers of the newest blocks',
  section: '4.2',
  params: z.object({}),
  query: z.object({}),
  response: z.strictObject({
    items: z.array(Validator),
    total: Count,
    window: z.strictObject({ blocks: Count, fromBlock: Count, toBlock: Count }),
    source: z.literal('block producers'),
    asOf: Count.meta({ description: 'Block' }),
    index: IndexInfo,
  }),
  errors: ['indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/validators',
  handle: (deps) =>
    deps.snapshots.run(async (state) => {
      const rows = await deps.database.read<ProducerRecord>(getStatement(deps.statements, 'producers'), {
        ...snapshotParameters(state),
        ...{ window_blocks: windowBlocks, limit: maxValidators },
      });
      const blocks = Number(rows[0]?.window_total ?? 0);
      const items = rows.map((row) => ({
        ...{ address: row.address, blocks: Number(row.block_count), tips: row.tips },
        share: shareOf(BigInt(row.block_count), BigInt(blocks)),
        ...{ lastBlock: Number(row.last_block), lastSeen: row.last_time, lastSeenDatetime: isoTime(row.last_time) },
      }));
      return {
        ...{ items, total: Number(rows[0]?.producers ?? 0) },
        window: { blocks, fromBlock: Math.max(state.startBlock, state.head - windowBlocks + 1), toBlock: state.head },
        ...{ source: 'block producers' as const, asOf: state.head, index: indexInfo(deps, state) },
      };
    }),
});
