import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { isoTime } from '#chain/codec/iso-time.ts';
import { defineRoute } from '../../http/define-route.ts';
import { blockWindow } from '../../read/chain/block-window.ts';
import { Finality, getFinality } from '../../read/chain/finality.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import { anyTopics, logPosition, logReader } from '../../read/chain/log-reader.ts';
import { assertWindow, maxBlock, pinnedHead, readDistinct, startOf } from '../../read/chain/paging.ts';
import type { EmittedDeps } from '../../read/chain/read-emitted.ts';
import { makeWalkPage } from '../../read/chain/walk-page.ts';
import { type DecodeDeps, decodeSurely } from '../../read/contracts/decode/decode-transaction.ts';
import type { ListDeps, TimeDeps } from '../../read/reader-deps.ts';
import type { Position } from '../../terms/cursor.ts';
import {
  Address,
  BlockNumber,
  Count,
  Cursor,
  HexAddress,
  HexData,
  HexHash,
  IsoTime,
  Limit,
  listOf,
  Order,
  UnixSeconds,
  UnixTime,
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
    fromBlock: BlockNumber.optional().meta({ description: 'First block of the range' }),
    toBlock: BlockNumber.optional().meta({ description: 'Last block of the range' }),
    fromTime: UnixTime.optional().meta({ description: 'Start of the time range, Unix seconds, inclusive' }),
    toTime: UnixTime.optional().meta({ description: 'End of the time range, Unix seconds, inclusive' }),
    decode: z.enum(['true', 'false'], 'must be true or false').default('false').meta({
      description: 'If true, each log has the field `decoded`. This reads the code of the contract from a node',
    }),
    limit: Limit,
    order: Order,
    cursor: Cursor.optional(),
  }),
  response: listOf(ContractLog),
  errors: ['bad_query', 'invalid_cursor', 'snapshot_invalidated', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/contracts/{token}/logs?limit=2',
  handle: (deps: ListDeps & TimeDeps & EmittedDeps & DecodeDeps, { params: { address }, query }) => {
    const { limit, order, cursor: _, topic0, topic1, topic2, topic3, decode, ...bounds } = query;
    assertWindow(query.fromBlock ?? 0, query.toBlock ?? maxBlock);
    const topics = [topic0, topic1, topic2, topic3].map((topic) => (topic === undefined ? '' : hexDigits(topic)));
    const scope = deps.cursors(['contract logs', address, topics, order, bounds]); // decode may change between pages
    const start = startOf(scope, query);
    return deps.snapshots.run(async (state) => {
      const pin = await pinnedHead(deps, state, start.pin, query.toBlock);
      const window = await blockWindow(deps, state, pin, bounds);
      const [topics0 = '', topics1 = '', topics2 = '', topics3 = ''] = topics;
      const read = logReader(deps, state, address, { ...anyTopics, topics0, topics1, topics2, topics3 });
      const readPage = (after: Position, count: number) => read({ ...window, order }, after, count);
      const rows =
        window.fromBlock > window.toBlock ? [] : await readDistinct(readPage, start.after, limit + 1, logPosition);
      const { page, ...more } = makeWalkPage(rows, { scope, order, limit, pin, state }, logPosition);
      const logs = page.map((row) => ({ row, address: row.address, topics: getTopics(row), data: row.data }));
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
      return { items, ...more, limit, index: indexInfo(deps, state, pin) };
    });
  },
});
