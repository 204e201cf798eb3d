import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { decodeTransfers } from '#chain/codec/token-transfers.ts';
import type { Parameters } from '#sql/client.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { Position } from '../../cursor.ts';
import { defineRoute } from '../../define-route.ts';
import type { ApiDeps } from '../../deps.ts';
import { ApiProblem } from '../../errors.ts';
import { indexInfo } from '../../freshness.ts';
import { Address, BlockNumber, Cursor, Limit, listOf, Order, UnixTime } from '../../schema/primitives.ts';
import { type BlockWindow, blockWindow } from '../block-window.ts';
import { type LogRecord, topicsOf } from '../log-record.ts';
import { assertWindow, maxBlock, pageOf, pinnedHead, readDistinct, type SortOrder, startOf } from '../paging.ts';
import { requireToken } from './token.ts';
import { Transfer, type TransferRecord, transferOf, transferPlace } from './transfer.ts';

const window = {
  fromBlock: BlockNumber.optional(),
  toBlock: BlockNumber.optional(),
  fromTime: UnixTime.optional(),
  toTime: UnixTime.optional(),
  limit: Limit,
  order: Order,
  cursor: Cursor.optional(),
};

/** What selects transfers; nothing: all of the chain. */
interface Selection {
  readonly token?: string | undefined;
  readonly kind?: 'mint' | 'burn' | 'transfer' | undefined;
  /** Either side. */
  readonly address?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

type WindowQuery = z.output<z.ZodObject<typeof window>>;

/** @source specification 4.3 */
export const listTransfers = defineRoute({
  id: 'listTransfers',
  base: '/api/v1',
  path: '/tokentxns',
  methods: ['get'],
  tag: 'tokens',
  summary: 'Token transfer events of the chain, of a token or of an account, newest first',
  section: '4.3',
  params: z.object({}),
  query: z.object({
    token: Address.optional().meta({ description: 'Only transfers of this token' }),
    address: Address.optional().meta({ description: 'Only transfers from or to this account' }),
    from: Address.optional().meta({ description: 'Only transfers from this account' }),
    to: Address.optional().meta({ description: 'Only transfers to this account' }),
    ...window,
  }),
  response: listOf(Transfer),
  errors: ['bad_query', 'invalid_cursor', 'snapshot_invalidated', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/tokentxns?limit=2',
  handle: async (deps, { query: { token, address, from, to, ...query } }) => {
    if (address !== undefined && from !== undefined && to !== undefined && from !== address && to !== address)
      throw new ApiProblem('bad_query', 'address is neither from nor to: one of them must be address');
    return transferPage(deps, query, { token, address, from, to });
  },
});

/** @source specification 4.5 */
export const listTokenTransfers = defineRoute({
  ...listTransfers,
  id: 'listTokenTransfers',
  path: '/tokens/:address/transfers',
  summary: 'Transfers of one token, newest first',
  section: '4.5',
  params: z.object({ address: Address }),
  query: z.object({
    type: z
      .enum(['mint', 'burn', 'transfer'], 'must be mint, burn or transfer')
      .optional()
      .meta({ description: 'mint: from the zero address; burn: to it; transfer: neither' }),
    ...window,
  }),
  errors: ['bad_query', 'invalid_cursor', 'snapshot_invalidated', 'not_found', 'indexing', 'store_unavailable'],
  example: '/tokens/{token}/transfers?limit=2',
  handle: async (deps, { params: { address }, query: { type, ...query } }) => {
    const page = await transferPage(deps, query, { token: address, kind: type });
    if (page.items.length === 0) await deps.snapshots.run((state) => requireToken(deps, state, address));
    return page;
  },
});

async function transferPage(deps: ApiDeps, query: WindowQuery, selection: Selection) {
  const { limit, order, cursor: _, ...bounds } = query;
  assertWindow(query.fromBlock ?? 0, query.toBlock ?? maxBlock);
  const filter = ['transfers', order, bounds, selection];
  const start = startOf(filter, query);
  return deps.snapshots.run(async (state) => {
    const pin = await pinnedHead(deps, state, start.pin);
    const blocks = await blockWindow(deps, state, pin, bounds);
    const read = readerOf(deps, state, selection, order, blocks);
    const rows = await readDistinct(read, start.after, limit + 1, transferPlace);
    const { page, ...more } = pageOf(rows, filter, limit, transferPlace, pin);
    const items = page.map((row) => transferOf(deps.settings.chainId, state.head, row));
    return { items, ...more, limit, index: indexInfo(deps, state) };
  });
}

type Reader = (after: Position, limit: number) => Promise<TransferRecord[]>;

function readerOf(
  deps: ApiDeps,
  state: ChainState,
  { token, kind, address, from, to }: Selection,
  order: SortOrder,
  { fromBlock, toBlock }: BlockWindow,
): Reader {
  const bounds = { ...snapshotParameters(state), from_block: fromBlock, to_block: toBlock };
  const read = (name: string, parameters: Parameters) => (after: Position, limit: number) =>
    deps.database.readBinary<TransferRecord>(getStatement(deps.statements, `${name}_${order}`), {
      ...bounds,
      ...parameters,
      ...{ at_block: after.block, at_index: after.index, at_part: after.part ?? 0, limit },
    });
  const account = address ?? from ?? to;
  if (account !== undefined) {
    // several conditions on accounts hold together: one is looked up by key, the others filter
    const sides = { from, to };
    const direction = address !== undefined ? directionOf(account, sides) : from !== undefined ? 'out' : 'in';
    const counterparty = address !== undefined ? otherSide(account, sides) : from !== undefined ? to : undefined;
    return read('transfers_of_address', {
      address: hexDigits(account),
      direction,
      counterparty: counterparty === undefined ? '' : hexDigits(counterparty),
      token: token === undefined ? '' : hexDigits(token),
    });
  }
  if (token !== undefined) return read('transfers_of_token', { token: hexDigits(token), kind: kind ?? '' });
  return readAll(deps, order, bounds);
}

interface Sides {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Direction as seen from `account` where one of the sides is said beside it. */
function directionOf(account: string, { from, to }: Sides): 'in' | 'out' | '' {
  if (from !== undefined) return from === account ? 'out' : 'in';
  if (to !== undefined) return to === account ? 'in' : 'out';
  return '';
}

function otherSide(account: string, { from, to }: Sides): string | undefined {
  if (from !== undefined && from !== account) return from;
  if (to !== undefined && to !== account) return to;
  return from === account ? to : undefined;
}

/**
 * Transfers of all tokens, in the order of their logs: the next logs that look like transfers are read and decoded;
 * logs that turn out to hold none are passed over until the page is full or no log is left.
 */
function readAll(deps: ApiDeps, order: SortOrder, bounds: Parameters): Reader {
  return async (after, limit) => {
    const rows = new Map<string, TransferRecord>();
    // the log of the place itself can hold more of its batch
    let place = { block: after.block, index: order === 'asc' ? after.index - 1 : after.index + 1 };
    for (;;) {
      const logs = await deps.database.readBinary<LogRecord>(getStatement(deps.statements, `transfer_logs_${order}`), {
        ...{ ...bounds, at_block: place.block, at_index: place.index, limit },
      });
      for (const row of logs.flatMap((log) => transfersOf(log, order)))
        if (isBehind(row, after, order)) rows.set(`${row.block_number}:${row.log_index}:${row.batch_index}`, row);
      if (rows.size >= limit || logs.length < limit) return [...rows.values()].slice(0, limit);
      place = { block: Number(logs.at(-1)!.block_number), index: logs.at(-1)!.log_index };
    }
  };
}

function transfersOf(log: LogRecord, order: SortOrder): TransferRecord[] {
  const { block_number, log_index, tx_index, tx_hash, timestamp, address: token } = log;
  const moved = decodeTransfers({ topics: topicsOf(log), data: log.data }).map((transfer) => ({
    ...{ block_number, log_index, batch_index: transfer.batchIndex, tx_index, tx_hash, timestamp, token },
    ...{ standard: transfer.standard, from: transfer.from, to: transfer.to },
    ...{ token_id: transfer.tokenId.toString(), value: transfer.value.toString() },
  }));
  return order === 'asc' ? moved : moved.reverse();
}

function isBehind(row: TransferRecord, { block, index, part = 0 }: Position, order: SortOrder): boolean {
  const distance = Number(row.block_number) - block || row.log_index - index || row.batch_index - part;
  return order === 'asc' ? distance > 0 : distance < 0;
}
