import { z } from 'zod';
import { hexToText } from '#chain/codec/hex.ts';
import { isoTime } from '#chain/codec/iso-time.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import {
  type InternalRecord,
  internalCallPosition,
  internalReader,
  planInternalScan,
} from '../../read/accounts/internal-calls/read-internal.ts';
import type { TracedReader } from '../../read/accounts/internal-calls/traced-reader.ts';
import { readHashesOfRows } from '../../read/chain/block-hashes.ts';
import { Finality, getFinality } from '../../read/chain/finality.ts';
import { readInternalCoverage } from '../../read/chain/freshness.ts';
import { maxBlock } from '../../read/chain/paging.ts';
import type { ScanDeps } from '../../read/chain/scan-budget.ts';
import { walkList } from '../../read/chain/walk-list.ts';
import type { ListDeps, TimeDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import {
  Address,
  Count,
  HexAddress,
  HexHash,
  IndexInfo,
  IsoTime,
  listWindow,
  shortPages,
  UnixSeconds,
  Wei,
  WeiAmount,
} from '../../terms/primitives.ts';
import { AccountId } from './account-id.ts';

const Window = z.strictObject({ from: Count, to: Count });

const InternalTransfer = z
  .strictObject({
    blockNumber: Count,
    blockHash: HexHash,
    txHash: HexHash,
    txIndex: Count,
    traceId: z
      .string()
      .meta({ description: 'Position in the call tree, such as 0_2: index among the siblings at each level' }),
    timestamp: UnixSeconds,
    datetime: IsoTime,
    kind: z.enum(['call', 'create', 'create2', 'selfdestruct']),
    from: HexAddress,
    to: HexAddress.nullable().meta({
      description: 'Recipient, created contract, or beneficiary of a selfdestruct; null for a failed creation',
    }),
    value: Wei,
    error: z
      .string()
      .nullable()
      .meta({ description: 'Error that reverted the call or a call that contains it; null if the call took effect' }),
    finality: Finality,
  })
  .meta({ id: 'InternalTransfer' });

interface TracedDeps {
  readonly traced: TracedReader;
}

export const listInternalTransfers = defineRoute({
  id: 'listInternalTransfers',
  base: '/api/v1',
  path: '/accounts/:address/internal',
  methods: ['get'],
  tag: 'accounts',
  summary: 'Internal transfers of one account',
  description:
    'Lists internal transfers of native currency to or from the account, and contracts that contracts created. By default, the newest come first. The field coverage shows which requested blocks are traced; other blocks have no entries. The request fails if no block is traced.',
  params: z.object({ address: AccountId }),
  query: z.object({
    side: z.enum(['from', 'to'], 'must be from or to').optional().meta({
      description: 'Return only transfers that the account sent (from) or received (to)',
    }),
    counterparty: Address.optional().meta({
      description: 'Return only transfers whose other side is this account',
    }),
    minValue: WeiAmount.optional().meta({ description: `Minimum value of a transfer, wei. ${shortPages}` }),
    ...listWindow,
  }),
  response: z
    .strictObject({
      items: z.array(InternalTransfer),
      nextCursor: z.string().nullable(),
      hasMore: z.boolean(),
      limit: Count,
      coverage: z.strictObject({
        internal: z.boolean().meta({ description: 'true if all requested blocks are traced' }),
        internalRanges: z.array(Window).meta({ description: 'Requested blocks that are traced' }),
      }),
      index: IndexInfo,
    })
    .meta({ id: 'InternalTransferPage' }),
  errors: [
    'bad_query',
    'use_registry_entity',
    'invalid_cursor',
    'snapshot_invalidated',
    'indexing',
    'store_unavailable',
  ],
  maxAgeSeconds: 1,
  example: '/accounts/{account}/internal?limit=2',
  handle: (deps: ListDeps & TimeDeps & ScanDeps & TracedDeps, { params: { address }, query }) => {
    const { limit: _, order, side, counterparty, minValue, cursor: __, ...bounds } = query;
    const selection = { address, side, counterparty, minValue };
    const filters = [counterparty, minValue].some((filter) => filter !== undefined) ? [{ counterparty, minValue }] : [];
    return walkList(deps, ['internal transfers', address, side, order, bounds, ...filters], query, async (walk) => {
      const { state, pin, window } = walk;
      const to = query.toTime === undefined ? query.toBlock : Math.min(query.toBlock ?? maxBlock, window.toBlock);
      const coverage = await readInternalCoverage(deps, state, window.fromBlock, to, pin);
      if (coverage.internalRanges.length === 0 && window.fromBlock <= window.toBlock) throw untraced(window);
      const scan = await planInternalScan(deps, state, selection, order, window, walk.after);
      const read = internalReader(deps, state, selection);
      const { page, ...more } = await walk.read(
        (after, count) => read({ ...scan.window, order }, after, count),
        internalCallPosition,
        { stoppedAt: scan.stoppedAt, traced: await deps.traced.ranges(state) },
      );
      const getHash = await readHashesOfRows(deps, state, page);
      const items = page.map((row) => toTransfer(state, row, getHash(row)));
      return { items, ...more, coverage };
    });
  },
});

const untraced = ({ fromBlock, toBlock }: { readonly fromBlock: number; readonly toBlock: number }) =>
  new ApiProblem(
    'indexing',
    `internal transfers of blocks ${fromBlock} to ${toBlock} are not indexed: no node traced them, or TRACES is off`,
  );

function toTransfer(state: ChainState, row: InternalRecord, blockHash: string): z.input<typeof InternalTransfer> {
  const blockNumber = Number(row.block_number);
  return {
    blockNumber,
    blockHash,
    txHash: row.tx_hash,
    txIndex: row.tx_index,
    traceId: hexToText(row.trace_id),
    timestamp: row.timestamp,
    datetime: isoTime(row.timestamp),
    kind: row.type,
    from: row.from,
    to: row.to,
    value: row.value,
    error: hexToText(row.error) || null,
    finality: getFinality(state, blockNumber),
  };
}
