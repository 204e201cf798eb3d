/**
 * Pages of lists with conditions that have no key. A condition that hardly a row meets must not make a request read a whole
 * history: a page looks through so many rows and no more, and its cursor goes on where it stopped, whatever it has found.
 */
import type { Parameters } from '#sql/parameters.ts';
import type { StatementName } from '#sql/statements.gen.ts';
import { getStatement } from '#sql/statements.ts';
import type { Position } from '../../terms/cursor.ts';
import type { StoreDeps } from '../reader-deps.ts';
import type { BlockWindow } from './block-window.ts';
import { maxIndex, type SortOrder } from './paging.ts';

export interface ScanDeps extends StoreDeps {
  /** Rows that one page looks through where a condition has no key. */
  readonly settings: { readonly pageScanRows: number };
}

/** The part of a window that one page looks through, and the place behind it; whole blocks. */
export interface Scan {
  readonly window: BlockWindow;
  /** Place from which the next page goes on; undefined: the scan reaches the end of the window. */
  readonly stoppedAt: Position | undefined;
}

/**
 * @param name of the statement that finds the block in which row number `skip` behind a place lies
 * @param parameters of that statement but for `skip`
 */
export async function planScan(
  { database, statements, settings }: ScanDeps,
  order: SortOrder,
  window: BlockWindow,
  name: StatementName,
  parameters: Parameters,
): Promise<Scan> {
  const [row] = await database.read<{ block_number: string }>(getStatement(statements, name), {
    ...parameters,
    skip: settings.pageScanRows,
  });
  if (!row) return { window, stoppedAt: undefined };
  const block = Number(row.block_number);
  return order === 'desc'
    ? { window: { ...window, fromBlock: block }, stoppedAt: { block, index: -1 } }
    : { window: { ...window, toBlock: block }, stoppedAt: { block, index: maxIndex, part: maxIndex } };
}
