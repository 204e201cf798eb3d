/** @source docs/deposits.md#or-write-your-own */
import { z } from 'zod';
import { hexDigits, isAddress } from '#chain/codec/hex.ts';
import { isoTime } from '#chain/codec/iso-time.ts';
import { known } from '#runtime/known.ts';
import { getLast } from '#runtime/lists.ts';
import { type ChainState, reliableHead, snapshotParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { defineRoute } from '../../http/define-route.ts';
import { readHashesOfRows } from '../../read/chain/block-hashes.ts';
import { findBlock } from '../../read/chain/find-block.ts';
import { describeGap, getCoverage, indexInfo } from '../../read/chain/freshness.ts';
import { pinnedHead } from '../../read/chain/paging.ts';
import type { AddressSets } from '../../read/deposits/address-sets.ts';
import { maxConfirmations, requiredConfirmations } from '../../read/deposits/rules.ts';
import type { ChainDeps, CoverageDeps, ListDeps, StoreDeps } from '../../read/reader-deps.ts';
import { decodeCursor, encodeCursor, keyPosition, type Pin, type Position, positionKey } from '../../terms/cursor.ts';
import { ApiProblem } from '../../terms/errors.ts';
import {
  BlockNumber,
  Count,
  Cursor,
  HexAddress,
  HexHash,
  IndexInfo,
  IsoTime,
  integerFrom,
  LastBlock,
  UnixSeconds,
  wholeNumber,
} from '../../terms/primitives.ts';
import { SetId } from './address-set.ts';

const chunkBlocks = 20_000;
const maxTokens = 50;
const maxLimit = 1_000;

const SetTransfer = z
  .strictObject({
    kind: z.enum(['native', 'token']),
    id: z.string().meta({
      description: 'Unique id of the transfer: <txHash> for the native coin, <txHash>:<logIndex> for a token',
    }),
    chainId: Count,
    txHash: HexHash,
    blockNumber: Count,
    blockHash: HexHash.meta({ description: 'A reorg can put the same transaction into another block' }),
    txIndex: Count,
    logIndex: Count.nullable(),
    timestamp: UnixSeconds,
    datetime: IsoTime,
    from: HexAddress,
    to: HexAddress,
    token: HexAddress.nullable(),
    value: z
      .string()
      .meta({ description: 'Transferred amount, in wei for the native coin, else in the smallest unit of the token' }),
    confirmations: Count,
  })
  .meta({ id: 'SetTransfer' });

type TransferRecord = RowOf<'set_transfers'>;

const Tokens = z
  .string()
  .transform((text) => text.split(',').map((token) => token.trim()))
  .refine(
    (tokens) => tokens.length <= maxTokens && tokens.every(isAddress),
    `must be at most ${maxTokens} addresses, separated by commas`,
  )
  .optional()
  .meta({
    description:
      'Addresses of TOKEN-20 (ERC-20) contracts whose transfers are also returned, separated by commas (default: only transfers of the native coin)',
  });

export const listSetTransfers = defineRoute({
  id: 'listSetTransfers',
  base: '/api/v1',
  path: '/address-sets/:id/transfers',
  methods: ['get'],
  tag: 'deposits',
  summary: 'New transfers to the addresses of an address set',
  description:
    'The oldest transfers come first. Every reply has a nextCursor for the next request, even if the reply has no transfers.',
  params: z.object({ id: SetId }),
  query: z.object({
    cursor: Cursor.optional(),
    fromBlock: BlockNumber.optional().meta({
      description:
        'First block to read if no cursor is given (default, and for 0: the first indexed block). A lower block than the first indexed one fails with indexing',
    }),
    toBlock: LastBlock.optional().meta({
      description: 'Last block to read, inclusive (default: the newest block with enough confirmations)',
    }),
    addedSince: z
      .string()
      .regex(/^\d{1,15}$/, 'must be a time in Unix milliseconds')
      .transform(Number)
      .optional()
      .meta({
        ...integerFrom(0),
        description:
          'Return only transfers to addresses that were added to the address set at or after this time, Unix ms',
      }),
    limit: wholeNumber(1, 999_999_999)
      .default(200)
      .transform((limit) => Math.min(limit, maxLimit))
      .meta({
        ...integerFrom(1, maxLimit),
        description: 'Maximum number of transfers on a page; values above 1000 are reduced to 1000',
      }),
    minConfirmations: wholeNumber(0, maxConfirmations)
      .default(requiredConfirmations)
      .meta({ description: 'Return only transfers with at least this number of confirmations' }),
    tokens: Tokens,
  }),
  response: z
    .strictObject({
      items: z.array(SetTransfer),
      nextCursor: z.string(),
      hasMore: z.boolean(),
      throughBlock: Count.meta({
        description: 'Block up to which all transfers to the address set have been returned',
      }),
      limit: Count,
      index: IndexInfo,
    })
    .meta({ id: 'SetTransfers' }),
  errors: ['bad_query', 'invalid_cursor', 'snapshot_invalidated', 'not_found', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: '/address-sets/{addressSet}/transfers',
  handle: async (deps: ListDeps & ChainDeps & { readonly addressSets: AddressSets }, { params: { id }, query }) => {
    const { limit, minConfirmations, tokens = [], fromBlock, toBlock, addedSince = 0 } = query;
    const bounds = toBlock === undefined && addedSince === 0 ? [] : [toBlock ?? '', addedSince];
    const filter = deps.cursors(['set transfers', id, tokens, ...bounds]);
    const start = query.cursor === undefined ? undefined : decodeCursor(filter, query.cursor);
    const lookup = deps.addressSets.require(id);
    lookup.catch(() => {});
    const reply = await deps.snapshots.run(async (state) => {
      if (start?.pin) await pinnedHead(deps, state, start.pin);
      const first = fromBlock || state.startBlock; // 0: from the first indexed block
      const after: Position = start ? keyPosition(start.key) : { block: first, index: -1, part: 0 };
      const top = Math.min(highestBlock(state, minConfirmations), toBlock ?? Number.POSITIVE_INFINITY);
      const requested = Math.min(state.head - minConfirmations, toBlock ?? -1);
      const page = await readPage(deps, state, { id, tokens, addedSince, after, limit, top, requested });
      const nextCursor = page.next
        ? encodeCursor(filter, positionKey(page.next), await readPin(deps, state, page.next.block))
        : (query.cursor ?? encodeCursor(filter, positionKey(after)));
      const items = await toItems(deps, state, page.rows);
      const { hasMore, throughBlock } = page;
      return { items, nextCursor, hasMore, throughBlock, limit, index: indexInfo(deps, state) };
    });
    await lookup;
    return reply;
  },
});

const highestBlock = (state: ChainState, minConfirmations: number) =>
  Math.min(state.head - minConfirmations, reliableHead(state));

const endIndex = 4_294_967_295;
const getEnd = (block: number): Position => ({ block, index: endIndex, part: Number.MAX_SAFE_INTEGER });
const rowPosition = (row: TransferRecord): Position => ({
  block: Number(row.block_number),
  index: row.tx_index,
  part: Number(row.part),
});

interface PageRequest {
  readonly id: string;
  readonly tokens: readonly string[];
  /** Minimum time at which an address was added to the set for its transfers to be returned, Unix ms. */
  readonly addedSince: number;
  readonly after: Position;
  readonly limit: number;
  /** Last block to read: at most toBlock, with enough confirmations. It may be below `after`. */
  readonly top: number;
  /**
   * Last block up to toBlock with enough confirmations; negative without toBlock. Unlike `top`, includes blocks that a
   * node contradicts.
   */
  readonly requested: number;
}

interface SetPage {
  readonly rows: readonly TransferRecord[];
  readonly next?: Position;
  readonly hasMore: boolean;
  readonly throughBlock: number;
}

async function readPage(
  deps: StoreDeps & CoverageDeps,
  state: ChainState,
  { id, tokens, addedSince, after, limit, top, requested }: PageRequest,
): Promise<SetPage> {
  const reach = Math.min(top, after.block + chunkBlocks);
  const isAtEnd = reach === after.block && after.index === endIndex;
  if (reach < after.block || isAtEnd) {
    // otherwise a client would take the list up to toBlock as complete
    const gap = { from: top + 1, to: requested };
    if (gap.from <= gap.to && after.block <= requested)
      throw new ApiProblem('indexing', describeGap(state, gap), { gap });
    return { rows: [], hasMore: false, throughBlock: Math.max(0, reach) };
  }
  const last = lastBeforeGap(deps, state, after, reach);
  const found = await readTransfers(deps, state, { id, tokens, addedSince, after, toBlock: last, limit: limit + 1 });
  const rows = found.slice(0, limit);
  if (found.length <= limit)
    return { rows, next: getEnd(last), hasMore: last < Math.max(top, requested), throughBlock: last };
  const next = rowPosition(getLast(rows));
  return { rows, next, hasMore: true, throughBlock: next.block - 1 };
}

/**
 * Returns the last block up to `to` before a missing block, so that no transfer is skipped.
 * @throws ApiProblem indexing if the block after the position is missing
 */
function lastBeforeGap(deps: CoverageDeps, state: ChainState, { block, index }: Position, to: number): number {
  const [gap] = getCoverage(deps, state, block, to).gaps;
  if (!gap) return to;
  const next = index === endIndex ? block + 1 : block;
  if (gap.from <= next)
    throw new ApiProblem('indexing', `blocks ${gap.from} to ${gap.to} are not indexed yet`, { gap });
  return gap.from - 1;
}

function readTransfers(
  { database }: StoreDeps,
  state: ChainState,
  {
    id,
    tokens,
    addedSince,
    after,
    toBlock,
    limit,
  }: Omit<PageRequest, 'top' | 'requested'> & { readonly toBlock: number },
): Promise<TransferRecord[]> {
  return database.read('set_transfers', {
    ...snapshotParameters(state),
    set_id: id,
    tokens: tokens.map(hexDigits),
    added_ms: addedSince,
    from_block: after.block,
    to_block: toBlock,
    limit,
    at_block: after.block,
    at_index: after.index,
    at_part: after.part ?? 0,
  });
}

/** The hash lets the next request detect a reorg. */
async function readPin(deps: StoreDeps, state: ChainState, block: number): Promise<Pin> {
  if (block === state.head) return { head: block, hash: state.headHash, reorgGeneration: state.reorgGeneration };
  const { block_hash } = known(await findBlock(deps, state, block), `block ${block}`);
  return { head: block, hash: block_hash, reorgGeneration: state.reorgGeneration };
}

async function toItems(deps: StoreDeps & ChainDeps, state: ChainState, rows: readonly TransferRecord[]) {
  const getHash = await readHashesOfRows(deps, state, rows);
  return rows.map((row) => ({
    chainId: deps.settings.chainId,
    blockHash: getHash(row),
    ...toItem(state.head, row),
  }));
}

function toItem(head: number, row: TransferRecord): Omit<z.input<typeof SetTransfer>, 'chainId' | 'blockHash'> {
  const isToken = row.part !== '0';
  const logIndex = isToken ? Number(row.part) - 1 : null;
  return {
    kind: isToken ? 'token' : 'native',
    id: isToken ? `${row.hash}:${logIndex}` : row.hash,
    txHash: row.hash,
    blockNumber: Number(row.block_number),
    txIndex: row.tx_index,
    logIndex,
    timestamp: row.time,
    datetime: isoTime(row.time),
    from: row.sender,
    to: row.receiver,
    token: isToken ? row.token_hex : null,
    value: row.amount,
    confirmations: head - Number(row.block_number),
  };
}
