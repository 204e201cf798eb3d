import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { isoTime } from '#chain/codec/iso-time.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { type AgentDeps, readAgentsAmong } from '../../read/agents/read-agents.ts';
import { decodeTestimony, eventTopics } from '../../read/agents/testimony-contract.ts';
import { addressTopic, numberTopic } from '../../read/agents/topics.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import { makePage, pinnedHead, readDistinct, readStart } from '../../read/chain/paging.ts';
import type { ChainDeps, ListDeps, StoreDeps } from '../../read/reader-deps.ts';
import type { Position } from '../../terms/cursor.ts';
import {
  Address,
  BlockNumber,
  Count,
  HexAddress,
  HexHash,
  IsoTime,
  pageParameters,
  TxHash,
  toListSchema,
  UnixSeconds,
} from '../../terms/primitives.ts';
import type { LogRecord } from '../../terms/records.ts';

const Testimony = z
  .strictObject({
    chainId: Count,
    id: z.string().meta({
      description: 'Id of the event that contains the statement of the AI agent: <txHash>:<logIndex>',
    }),
    agent: HexAddress,
    agentName: z.string().nullable(),
    anchor: z.string().meta({ description: 'Block that the statement is about, decimal' }),
    subject: HexHash.meta({
      description: '32-byte id of the object that the statement is about, for example an entity or a transaction',
    }),
    digest: HexHash.nullable().meta({
      description: '32-byte digest in the statement; null if the event data has another format',
    }),
    uri: z.string().nullable(),
    txHash: HexHash,
    blockNumber: Count,
    logIndex: Count,
    timestamp: UnixSeconds,
    datetime: IsoTime,
  })
  .meta({ id: 'Testimony' });

/** @source docs/registry.md#agents-and-testimonies */
export const listTestimonies = defineRoute({
  id: 'listTestimonies',
  base: '/api/v1',
  path: '/testimonies',
  methods: ['get'],
  tag: 'registry',
  summary: 'Statements that AI agents recorded on the chain (testimonies)',
  description: 'The newest statements come first.',
  params: z.object({}),
  query: z.object({
    agent: Address.optional().meta({
      description: 'Return only statements of this AI agent',
    }),
    anchor: BlockNumber.optional().meta({
      description: 'Return only statements about the block with this number',
    }),
    subject: TxHash.optional().meta({
      description: 'Return only statements about the entity or transaction with this 32-byte id',
    }),
    ...pageParameters,
  }),
  response: toListSchema(Testimony).extend({
    source: HexAddress.nullable().meta({
      description: 'Address of the contract that records the statements; null if none is configured',
    }),
    asOf: Count.meta({
      description: 'Newest block that the list includes',
    }),
  }),
  errors: ['bad_query', 'invalid_cursor', 'snapshot_invalidated', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/testimonies?limit=2',
  handle: (deps: ListDeps & AgentDeps & ChainDeps, { query }) => {
    const { limit, cursor, ...conditions } = query;
    const { agent = '', anchor = '', subject = '' } = conditions;
    const filter = deps.cursors(['testimonies', agent, anchor, subject]);
    const start = readStart(filter, { order: 'desc', limit, cursor });
    const contract = deps.settings.testimonyContract;
    return deps.snapshots.run(async (state) => {
      const pin = await pinnedHead(deps, state, start.pin);
      const read =
        contract === undefined
          ? async () => []
          : createReader(deps, state, contract, { ...conditions, toBlock: pin.head });
      const position = (row: LogRecord) => ({ block: Number(row.block_number), index: row.log_index });
      const rows = await readDistinct(read, start.after, limit + 1, position);
      const { page, ...more } = makePage(rows, filter, limit, position, pin);
      const testimonies = page.map((row) => toTestimony(deps.settings.chainId, row));
      const agents = await readAgentsAmong(deps, state, new Set(testimonies.map(({ agent }) => agent)));
      const items = testimonies.map((one) => ({ ...one, agentName: agents.get(one.agent)?.name ?? null }));
      return { items, ...more, limit, index: indexInfo(deps, state, pin), source: contract ?? null, asOf: pin.head };
    });
  },
});

interface Conditions {
  readonly agent?: string | undefined;
  readonly anchor?: number | undefined;
  readonly subject?: string | undefined;
  readonly toBlock: number;
}

function createReader(
  { database }: StoreDeps,
  state: ChainState,
  contract: string,
  { agent, anchor, subject, toBlock }: Conditions,
) {
  return (after: Position, limit: number) =>
    database.readBinary('logs_of_emitter_desc', {
      ...snapshotParameters(state),
      address: hexDigits(contract),
      topics0: hexDigits(eventTopics.testified),
      any1: 0,
      any2: 0,
      any3: 0,
      topics1: agent === undefined ? '' : addressTopic(agent),
      topics2: anchor === undefined ? '' : numberTopic(anchor),
      topics3: subject === undefined ? '' : hexDigits(subject),
      from_block: 0,
      to_block: toBlock,
      at_block: after.block,
      at_index: after.index,
      limit,
      place_limit: limit,
    });
}

function toTestimony(chainId: number, row: LogRecord) {
  return {
    chainId,
    id: `${row.tx_hash}:${row.log_index}`,
    ...decodeTestimony(row),
    txHash: row.tx_hash,
    blockNumber: Number(row.block_number),
    logIndex: row.log_index,
    timestamp: row.timestamp,
    datetime: isoTime(row.timestamp),
  };
}
