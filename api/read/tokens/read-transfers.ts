import { hexDigits, zeroAddress } from '#chain/codec/hex.ts';
import type { TokenStandard } from '#chain/codec/token-abi.ts';
import { decodeTransfers } from '#chain/codec/token-transfers.ts';
import { known } from '#runtime/known.ts';
import { getLast } from '#runtime/lists.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { ParametersOf } from '#sql/statement-types.ts';
import { LargeResultError } from '#sql/store-error.ts';
import type { Position } from '../../terms/cursor.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { getTopics, type LogRecord, type TransferRecord } from '../../terms/records.ts';
import type { BlockWindow } from '../chain/block-window.ts';
import { distanceTo, maxIndex, type SortOrder } from '../chain/paging.ts';
import { planScan, type Scan, type ScanDeps } from '../chain/scan-budget.ts';
import { readWithRecent, toKey } from '../chain/with-recent.ts';
import type { StoreDeps } from '../reader-deps.ts';
import type { RecentTransfersDeps } from './recent-transfers.ts';
import { transferPlace } from './transfer-place.ts';

const filterChunk = 1_000;
/** Maximum transfers that a page filters in memory. */
const maxFiltered = 20_000;

export interface TransferSelection {
  readonly token?: string | undefined;
  readonly kind?: 'mint' | 'burn' | 'transfer' | undefined;
  readonly address?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly standard?: TokenStandard | undefined;
  /** Requires `token`, excludes accounts. */
  readonly tokenId?: string | undefined;
  /** In the smallest unit of the token. Requires `token`. */
  readonly minValue?: string | undefined;
}

/** Reads transfers after a position. readDistinct() removes duplicates. */
type Reader = (after: Position, limit: number) => Promise<TransferRecord[]>;

export interface ScanMark {
  stoppedAt?: Position | undefined;
}

const stored = {
  ofToken: { asc: 'transfers_of_token_asc', desc: 'transfers_of_token_desc' },
  ofAddress: { asc: 'transfers_of_address_asc', desc: 'transfers_of_address_desc' },
} as const;
const scanned = {
  ofToken: { asc: 'scan_transfers_of_token_asc', desc: 'scan_transfers_of_token_desc' },
  ofAddress: { asc: 'scan_transfers_of_address_asc', desc: 'scan_transfers_of_address_desc' },
} as const;
const transferLogs = { asc: 'transfer_logs_asc', desc: 'transfer_logs_desc' } as const;

const positionParameters = ({ block, index, part = 0 }: Position) => ({
  at_block: block,
  at_index: index,
  at_part: part,
});

/** Limits the rows that a page scans if no index fits its filters. */
export async function planTransferScan(
  deps: ScanDeps,
  state: ChainState,
  { token, kind, address, from, to, standard, tokenId, minValue }: TransferSelection,
  order: SortOrder,
  window: BlockWindow,
  after: Position,
): Promise<Scan> {
  const key = [address, from, to].find((side) => side !== undefined && side !== zeroAddress);
  const isFree = key === undefined ? kind === undefined || token === undefined : key === address && token === undefined;
  const isKeyed =
    isFree &&
    (tokenId ?? minValue) === undefined &&
    (standard === undefined || (key === undefined && token === undefined));
  if (isKeyed) return { window, stoppedAt: undefined };
  return planScan(deps, state, { order, window }, after, (bounds) =>
    key === undefined
      ? deps.database.read(scanned.ofToken[order], { ...bounds, token: hexDigits(known(token, 'the token')) })
      : deps.database.read(scanned.ofAddress[order], { ...bounds, address: hexDigits(key) }),
  );
}

export function transferReader(
  deps: ScanDeps & RecentTransfersDeps,
  state: ChainState,
  selection: TransferSelection,
  order: SortOrder,
  window: BlockWindow,
  mark?: ScanMark,
): Reader {
  const { token, address, from, to, standard, minValue = '0' } = selection;
  const bounds = { ...snapshotParameters(state), from_block: window.fromBlock, to_block: window.toBlock };
  const base =
    token === undefined
      ? readAll(deps, order, { ...bounds, standard: standard ?? '' }, mark)
      : readOfToken(deps, state, { ...selection, token }, order, window);
  const sides = [address, from, to].filter((side) => side !== undefined);
  if (sides.length === 0) return base;
  // SQL finds the transfers of one account by an index, then applies the other filters.
  const key = sides.find((side) => side !== zeroAddress);
  if (key === undefined)
    return filterRows(base, deps.settings.pageScanRows, mark, (row) =>
      isSelected(row, { token, address, from, to, standard }),
    );
  const { direction, counterparty } = getSide(key, { address, from, to });
  return (after, limit) =>
    deps.database.readBinary(stored.ofAddress[order], {
      ...bounds,
      ...positionParameters(after),
      address: hexDigits(key),
      direction,
      counterparty: counterparty === undefined ? '' : hexDigits(counterparty),
      token: token === undefined ? '' : hexDigits(token),
      standard: standard ?? '',
      min_value: minValue,
      limit,
    });
}

function readOfToken(
  deps: StoreDeps & RecentTransfersDeps,
  state: ChainState,
  selection: TransferSelection & { readonly token: string },
  order: SortOrder,
  window: BlockWindow,
): Reader {
  const { token, kind = '', standard = '', tokenId = '', minValue = '0' } = selection;
  return (after, limit) => {
    const read = (part: ChainState, toBlock: number, count: number) =>
      deps.database.readBinary(stored.ofToken[order], {
        ...snapshotParameters(part),
        from_block: window.fromBlock,
        to_block: toBlock,
        ...positionParameters(after),
        ...{ token: hexDigits(token), kind, standard, token_id: tokenId, min_value: minValue },
        limit: count,
      });
    return readWithRecent<TransferRecord, TransferRecord>(
      { ...window, key: toKey({ token, kind, standard, tokenId, minValue }), state, order, after, limit },
      {
        recent: () => deps.recentTransfers.readNewest(state, token),
        getPosition: transferPlace,
        select: (row) => (hasKind(row, selection) ? row : undefined),
        read,
        older: deps.recentTransfers.older,
      },
    );
  };
}

/** Must equal the conditions of the statements transfers_of_token_asc and _desc. */
function hasKind(row: TransferRecord, { kind, standard, tokenId, minValue }: TransferSelection): boolean {
  const own = row.from === zeroAddress ? 'mint' : row.to === zeroAddress ? 'burn' : 'transfer';
  return (
    (kind === undefined || kind === own) &&
    (standard === undefined || standard === row.standard) &&
    (tokenId === undefined || (row.standard !== 'erc20' && BigInt(tokenId) === BigInt(row.token_id))) &&
    (minValue === undefined || BigInt(row.value) >= BigInt(minValue))
  );
}

function getSide(
  account: string,
  { address, from, to }: Pick<TransferSelection, 'address' | 'from' | 'to'>,
): { direction: 'in' | 'out' | ''; counterparty: string | undefined } {
  const other = address === account ? undefined : address;
  if (from === account) return { direction: 'out', counterparty: to ?? other };
  if (to === account) return { direction: 'in', counterparty: from ?? other };
  if (from !== undefined) return { direction: 'in', counterparty: from };
  return { direction: to === undefined ? '' : 'out', counterparty: to };
}

/** Filters mints and burns in memory, because the account index lacks the zero address. */
function filterRows(
  read: Reader,
  pageScanRows: number,
  mark: ScanMark | undefined,
  matches: (row: TransferRecord) => boolean,
): Reader {
  const maxRows = mark ? Math.min(maxFiltered, pageScanRows) : pageScanRows;
  let scannedRows = 0;
  return async (after, limit) => {
    const rows: TransferRecord[] = [];
    const chunkSize = Math.max(limit, Math.min(filterChunk, maxRows));
    for (let at = after; ; ) {
      const more = await read(at, chunkSize);
      rows.push(...more.filter(matches));
      if (more.length < chunkSize || rows.length >= limit) return rows.slice(0, limit);
      at = transferPlace(getLast(more));
      scannedRows += more.length;
      if (scannedRows < maxRows) continue;
      stopAt(at, mark);
      return rows;
    }
  };
}

/** Ends the page at a position. @throws ApiProblem bad_query if the list cannot continue there */
function stopAt(position: Position, mark: ScanMark | undefined): void {
  if (!mark)
    throw new ApiProblem(
      'bad_query',
      'too many transfers to search for the zero address: select a smaller block range, or a smaller offset',
    );
  mark.stoppedAt = position;
}

function isSelected(row: TransferRecord, { token, address, from, to, standard }: TransferSelection): boolean {
  const matchesAny = (wanted: string | undefined, ...given: string[]) => wanted === undefined || given.includes(wanted);
  return (
    matchesAny(token, row.token) &&
    matchesAny(address, row.from, row.to) &&
    matchesAny(from, row.from) &&
    matchesAny(to, row.to) &&
    matchesAny(standard, row.standard)
  );
}

type LogBounds = Omit<ParametersOf<'transfer_logs_asc'>, 'at_block' | 'at_index' | 'limit'>;

/**
 * Reads all transfers. A log can have a transfer's topic but not be a transfer: a page that finds only such logs ends
 * with a cursor.
 */
function readAll(deps: ScanDeps, order: SortOrder, bounds: LogBounds, mark?: ScanMark): Reader {
  let scannedLogs = 0;
  return async (after, limit) => {
    const rows = new Map<string, TransferRecord>();
    for await (const { logs, isLast } of scanLogs(deps, order, bounds, after, limit)) {
      const moved = logs.flatMap((log) => toTransfers(log, order));
      for (const row of moved.filter((one) => distanceTo(transferPlace(one), after, order) > 0))
        rows.set(`${row.block_number}:${row.log_index}:${row.batch_index}`, row);
      scannedLogs += logs.length;
      if (isLast || rows.size >= limit) break;
      if (scannedLogs < deps.settings.pageScanRows) continue;
      stopAt(getEnd(getLast(logs), order), mark);
      break;
    }
    return [...rows.values()].slice(0, limit);
  };
}

/** Yields non-empty batches of logs, from the log at `after` on, which may have more transfers. */
async function* scanLogs({ database }: ScanDeps, order: SortOrder, bounds: LogBounds, after: Position, limit: number) {
  let position = { at_block: after.block, at_index: order === 'asc' ? after.index - 1 : after.index + 1 };
  for (let chunk = limit; ; chunk = Math.max(limit, filterChunk)) {
    const read = (rows: number) => database.readBinary(transferLogs[order], { ...bounds, ...position, limit: rows });
    const [logs, asked] = await readFewer(read, chunk);
    const isLast = logs.length < asked;
    if (logs.length > 0) yield { logs, isLast };
    if (isLast) return;
    const last = getLast(logs);
    position = { at_block: Number(last.block_number), at_index: last.log_index };
  }
}

/** Reads fewer rows if they have too much data. @returns the rows, and how many were requested */
async function readFewer<T>(read: (rows: number) => Promise<T[]>, most: number): Promise<[rows: T[], asked: number]> {
  for (let asked = most; ; asked = Math.ceil(asked / 4)) {
    try {
      return [await read(asked), asked];
    } catch (error) {
      if (!(error instanceof LargeResultError) || asked === 1) throw error;
    }
  }
}

/** Returns the position after all transfers of a log. */
const getEnd = ({ block_number, log_index }: LogRecord, order: SortOrder): Position => ({
  block: Number(block_number),
  index: log_index,
  part: order === 'asc' ? maxIndex : 0,
});

function toTransfers(log: LogRecord, order: SortOrder): TransferRecord[] {
  const { block_number, log_index, tx_index, tx_hash, timestamp, address: token } = log;
  const moved = decodeTransfers({ topics: getTopics(log), data: log.data }).map((transfer) => ({
    block_number,
    log_index,
    batch_index: transfer.batchIndex,
    tx_index,
    tx_hash,
    timestamp,
    token,
    standard: transfer.standard,
    from: transfer.from,
    to: transfer.to,
    token_id: transfer.tokenId.toString(),
    value: transfer.value.toString(),
  }));
  return order === 'asc' ? moved : moved.reverse();
}
