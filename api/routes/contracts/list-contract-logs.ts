import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { isoTime } from '#chain/codec/iso-time.ts';
import { defineRoute } from '../../http/define-route.ts';
import { Finality, getFinality } from '../../read/chain/finality.ts';
import { anyTopics, logPosition, logReader } from '../../read/chain/log-reader.ts';
import type { EmittedDeps } from '../../read/chain/read-emitted.ts';
import { walkList } from '../../read/chain/walk-list.ts';
import { type DecodeDeps, decodeSurely } from '../../read/contracts/decode/decode-transaction.ts';
import type { ListDeps, TimeDeps } from '../../read/reader-deps.ts';
import {
  Address,
  Count,
  HexAddress,
  HexData,
  HexHash,
  IsoTime,
  listWindow,
  toListSchema,
  UnixSeconds,
} from '../../terms/primitives.ts';
import { getTopics } from '../../terms/records.ts';
import { DecodedData, toDecodedData } from '../transactions/decoded-data.ts';

const ContractLog = z
  .strictObject({
    blockNumber: Count,
    txHash: HexHash,
    txIndex: Count,
    logIndex: Count,
    timestamp: UnixSeconds,
    datetime: IsoTime,
    address: HexAddress,
    topics: z.array(HexHash),
    data: HexData,
    decoded: DecodedData.nullable().optional(),
    finality: Finality,
  })
  .meta({ id: 'ContractLog' });

const Topic = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be a topic: 0x and 64 hex digits')
  .toLowerCase()
  .optional();

export const listContractLogs = defineRoute({
  id: 'listContractLogs',
  base: '/api/v1',
  path: '/contracts/:address/logs',
  methods: ['get'],
  tag: 'contracts',
  summary: 'Logs that one contract emitted',
  description:
    'By default, the newest logs come first. With decode=true, logs are decoded by the verified interface of the contract, or else by a known signature; decoded.source says which.',
  params: z.object({ address: Address }),
  query: z.object({
    topic0: Topic.meta({ description: 'Return only logs of this event: hash of its signature' }),
    topic1: Topic.meta({ description: 'Return only logs with this first indexed value' }),
    topic2: Topic.meta({ description: 'Return only logs with this second indexed value' }),
    topic3: Topic.meta({ description: 'Return only logs with this third indexed value' }),
    decode: z.enum(['true', 'false'], 'must be true or false').default('false').meta({
      description: 'If true, each log has the field `decoded`. This reads the code of the contract from a node',
    }),
    ...listWindow,
  }),
  response: toListSchema(ContractLog),
  errors: ['bad_query', 'invalid_cursor', 'snapshot_invalidated', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/contracts/{token}/logs?limit=2',
  handle: (deps: ListDeps & TimeDeps & EmittedDeps & DecodeDeps, { params: { address }, query }) => {
    const { limit: _, order, cursor: __, topic0, topic1, topic2, topic3, decode, ...bounds } = query;
    const topics = [topic0, topic1, topic2, topic3].map((topic) => (topic === undefined ? '' : hexDigits(topic)));
    const scope = ['contract logs', address, topics, order, bounds]; // decode may change between pages
    return walkList(deps, scope, query, async ({ state, window, read: readPage }) => {
      const [topics0 = '', topics1 = '', topics2 = '', topics3 = ''] = topics;
      const read = logReader(deps, state, address, { ...anyTopics, topics0, topics1, topics2, topics3 });
      const { page, ...more } = await readPage((after, count) => read({ ...window, order }, after, count), logPosition);
      const logs = page.map((row) => ({
        ...{ row, address: row.address, topics: getTopics(row), data: row.data },
        blockNumber: Number(row.block_number),
      }));
      const decoding = decode === 'true' ? await decodeSurely(deps, { to: null, input: '0x', logs }) : undefined;
      const items = logs.map((log) => ({
        blockNumber: Number(log.row.block_number),
        txHash: log.row.tx_hash,
        txIndex: log.row.tx_index,
        logIndex: log.row.log_index,
        timestamp: log.row.timestamp,
        datetime: isoTime(log.row.timestamp),
        address: log.address,
        topics: log.topics,
        data: log.data,
        ...(decoding && { decoded: toDecodedData(decoding.log(log)) }),
        finality: getFinality(state, Number(log.row.block_number)),
      }));
      return { items, ...more };
    });
  },
});
