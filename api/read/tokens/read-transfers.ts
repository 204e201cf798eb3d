/** Token transfers behind a place, by account, by token, or of all the chain. */

import { hexDigits, zeroAddress } from '#chain/codec/hex.ts';
import type { TokenStandard } from '#chain/codec/token-abi.ts';
import { decodeTransfers } from '#chain/codec/token-transfers.ts';
import { known } from '#runtime/known.ts';
import { lastOf } from '#runtime/lists.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { ParametersOf } from '#sql/statement-types.ts';
import type { Position } from '../../terms/cursor.ts';
import { type LogRecord, type TransferRecord, topicsOf } from '../../terms/records.ts';
import type { BlockWindow } from '../chain/block-window.ts';
import type { SortOrder } from '../chain/paging.ts';
import { planScan, type Scan, type ScanDeps } from '../chain/scan-budget.ts';
import type { StoreDeps } from '../reader-deps.ts';
import { transferPlace } from './transfer-place.ts';

/** Rows looked through at once where a condition has no key. */
const filterChunk = 1_000;
/** Rows that one page looks through in this way: each chunk is a statement. */
const maxFiltered = 20_000;

/** What selects transfers; nothing: all of the chain. */
export interface TransferSelection {
  readonly token?: string | undefined;
  readonly kind?: 'mint' | 'burn' | 'transfer' | undefined;
  /** Either side. */
  readonly address?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly standard?: TokenStandard | undefined;
}

/** @returns at most `limit` rows behind a place; a row may come twice, see readDistinct */
type Reader = (after: Position, limit: number) => Promise<TransferRecord[]>;

/** Set where a reader stopped looking before it had as many rows as it was asked for. */
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

const placeOf = ({ block, index, part = 0 }: Position) => ({ at_block: block, at_index: index, at_part: part });

/** The part of a window that one page looks through, where the selection has conditions that no key answers. */
export async function planTransferScan(
  deps: ScanDeps,
  state: ChainState,
  { token, kind, address, from, to, standard }: TransferSelection,
  order: SortOrder,
  window: BlockWindow,
  after: Position,
): Promise<Scan> {
  const key = [address, from, to].find((side) => side !== undefined && side !== zeroAddress);
  const isFree = key === undefined ? kind === undefined || token === undefined : key === address && token === undefined;
  const isKeyed = isFree && (standard === undefined || (key === undefined && token === undefined));
  if (isKeyed) return { window, stoppedAt: undefined };
  return planScan(deps, state, { order, window }, after, (bounds) =>
    key === undefined
      ? deps.database.read(scanned.ofToken[order], { ...bounds, token: hexDigits(known(token, 'the token')) })
      : deps.database.read(scanned.ofAddress[order], { ...bounds, address: hexDigits(key) }),
  );
}

/** Rows of the selection within a window. A standard narrows selections by account or token alone. */
export function transferReader(
  deps: ScanDeps,
  state: ChainState,
  { token, kind, address, from, to, standard }: TransferSelection,
  order: SortOrder,
  { fromBlock, toBlock }: BlockWindow,
  mark?: ScanMark,
): Reader {
  const bounds = { ...snapshotParameters(state), from_block: fromBlock, to_block: toBlock };
  const base =
    token === undefined
      ? readAll(deps, order, { ...bounds, standard: standard ?? '' })
      : (after: Position, limit: number) =>
          deps.database.readBinary(stored.ofToken[order], {
            ...bounds,
            ...placeOf(after),
            token: hexDigits(token),
            kind: kind ?? '',
            standard: standard ?? '',
            limit,
          });
  const sides = [address, from, to].filter((side) => side !== undefined);
  if (sides.length === 0) return base;
  // several conditions on accounts hold together: one is looked up by key, the others filter
  const key = sides.find((side) => side !== zeroAddress);
  if (key === undefined)
    return filtered(base, deps.settings.pageScanRows, mark, (row) => isOf(row, { token, address, from, to, standard }));
  const { direction, counterparty } = sideOf(key, { address, from, to });
  return (after, limit) =>
    deps.database.readBinary(stored.ofAddress[order], {
      ...bounds,
      ...placeOf(after),
      address: hexDigits(key),
      direction,
      counterparty: counterparty === undefined ? '' : hexDigits(counterparty),
      token: token === undefined ? '' : hexDigits(token),
      standard: standard ?? '',
      limit,
    });
}

/** On which side of a transfer an account must be, and who on the other. */
function sideOf(
  account: string,
  { address, from, to }: Pick<TransferSelection, 'address' | 'from' | 'to'>,
): { direction: 'in' | 'out' | ''; counterparty: string | undefined } {
  const other = address === account ? undefined : address;
  if (from === account) return { direction: 'out', counterparty: to ?? other };
  if (to === account) return { direction: 'in', counterparty: from ?? other };
  if (from !== undefined) return { direction: 'in', counterparty: from };
  return { direction: to === undefined ? '' : 'out', counterparty: to };
}

/** Rows that mint and burn alone have no key of their own: they are picked out of all the others. */
function filtered(
  read: Reader,
  pageScanRows: number,
  mark: ScanMark | undefined,
  holds: (row: TransferRecord) => boolean,
): Reader {
  const most = mark ? Math.min(maxFiltered, pageScanRows) : Number.POSITIVE_INFINITY;
  let looked = 0;
  return async (after, limit) => {
    const rows: TransferRecord[] = [];
    const asked = Math.max(limit, Math.min(filterChunk, most));
    for (let at = after; ; ) {
      const more = await read(at, asked);
      rows.push(...more.filter(holds));
      if (more.length < asked || rows.length >= limit) return rows.slice(0, limit);
      at = transferPlace(lastOf(more));
      looked += more.length;
      if (mark && looked >= most) {
        mark.stoppedAt = at;
        return rows;
      }
    }
  };
}

function isOf(row: TransferRecord, { token, address, from, to, standard }: TransferSelection): boolean {
  const agrees = (wanted: string | undefined, ...given: string[]) => wanted === undefined || given.includes(wanted);
  return (
    agrees(token, row.token) &&
    agrees(address, row.from, row.to) &&
    agrees(from, row.from) &&
    agrees(to, row.to) &&
    agrees(standard, row.standard)
  );
}

type LogBounds = Omit<ParametersOf<'transfer_logs_asc'>, 'at_block' | 'at_index' | 'limit'>;

/**
 * Transfers of all tokens, in the order of their logs: the next logs that look like transfers are read and decoded;
 * logs that turn out to hold none are passed over until the page is full or no log is left.
 */
function readAll({ database }: StoreDeps, order: SortOrder, bounds: LogBounds): Reader {
  return async (after, limit) => {
    const rows = new Map<string, TransferRecord>();
    // the log of the place itself can hold more of its batch
    let place = { block: after.block, index: order === 'asc' ? after.index - 1 : after.index + 1 };
    for (;;) {
      const logs = await database.readBinary(transferLogs[order], {
        ...bounds,
        at_block: place.block,
        at_index: place.index,
        limit,
      });
      for (const row of logs.flatMap((log) => transfersOf(log, order)))
        if (isBehind(row, after, order)) rows.set(`${row.block_number}:${row.log_index}:${row.batch_index}`, row);
      if (rows.size >= limit || logs.length < limit) return [...rows.values()].slice(0, limit);
      const last = lastOf(logs);
      place = { block: Number(last.block_number), index: last.log_index };
    }
  };
}

function transfersOf(log: LogRecord, order: SortOrder): TransferRecord[] {
  const { block_number, log_index, tx_index, tx_hash, timestamp, address: token } = log;
  const moved = decodeTransfers({ topics: topicsOf(log), data: log.data }).map((transfer) => ({
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

function isBehind(row: TransferRecord, { block, index, part = 0 }: Position, order: SortOrder): boolean {
  const distance = Number(row.block_number) - block || row.log_index - index || row.batch_index - part;
  return order === 'asc' ? distance > 0 : distance < 0;
}
