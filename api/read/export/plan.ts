/** One export: its window of settled blocks, where it begins, and what it must amount to. */

import { type ChainState, finalThrough, snapshotParameters } from '#sql/snapshot.ts';
import type { ParametersOf } from '#sql/statement-types.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { blockWindow, type WindowQuery } from '../chain/block-window.ts';
import { chainHead, coverageOf } from '../chain/freshness.ts';
import type { CoverageDeps, NodeDeps, StoreDeps, TimeDeps } from '../reader-deps.ts';
import { type ExportKind, type ExportStatements, type Selection, selectionOf } from './kinds.ts';

/** Place of a row: transfers of one log differ by `batch`. */
interface RowPlace {
  readonly block: number;
  readonly index: number;
  readonly batch?: number | undefined;
}

interface ExportQuery extends WindowQuery, Selection {
  readonly kind: ExportKind;
  /** Place of the last row that was received. */
  readonly after?: RowPlace | undefined;
}

/** Blocks an export is about, before any row is read. */
interface ExportWindow {
  readonly kind: ExportKind;
  readonly fromBlock: number;
  /** Below `fromBlock` where the window is empty. */
  readonly toBlock: number;
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
  /** Part of the window asked for that is left out, since it is not settled. */
  readonly unfinalized: { readonly from: number; readonly to: number } | null;
  /** True when everything asked for is in the export: no gaps, and nothing that is not settled. */
  readonly complete: boolean;
}

/** What proves that an export is whole. */
export interface Certificate extends ExportWindow {
  readonly rows: number;
  /** Independent of order and format; the same for every export of the same window. */
  readonly digest: string;
}

export interface ExportPlan {
  readonly statements: ExportStatements;
  readonly parameters: ParametersOf<ExportStatements['rows' | 'certificate']>;
  readonly window: ExportWindow;
}

/** Greatest place in a batch: nothing of the log follows it. */
const wholeBatch = 2 ** 32;

/**
 * Settled blocks alone are exported: they don't change any more, so an export can be taken up again and repeated.
 * @throws ApiProblem bad_query
 */
export async function planExport(
  deps: TimeDeps & CoverageDeps,
  state: ChainState,
  query: ExportQuery,
): Promise<ExportPlan> {
  const { statements, parameters: selected } = selectionOf(query.kind, query);
  if ((query.fromBlock ?? 0) > (query.toBlock ?? Number.MAX_SAFE_INTEGER))
    throw new ApiProblem('bad_query', 'fromBlock is above toBlock: fromBlock must not be above toBlock');
  const { fromBlock, toBlock } = await blockWindow(deps, state, { head: finalThrough(state) }, query);
  const isEmpty = fromBlock > toBlock;
  const { gaps } = isEmpty ? { gaps: [] } : coverageOf(deps, state, fromBlock, toBlock);
  const unfinalized = unfinalizedPart(deps, state, query);
  return {
    statements,
    parameters: {
      ...snapshotParameters(state),
      ...selected,
      ...placeParameters(query),
      ...(isEmpty ? { from_block: 1, to_block: 0 } : { from_block: fromBlock, to_block: toBlock }),
    },
    window: { kind: query.kind, fromBlock, toBlock, gaps, unfinalized, complete: gaps.length === 0 && !unfinalized },
  };
}

/** What of the window asked for is not in the export, since it is not settled yet, or not on the chain. */
function unfinalizedPart(deps: NodeDeps, state: ChainState, { fromBlock = 0, toBlock, toTime }: ExportQuery) {
  const finalized = finalThrough(state);
  if (toBlock === undefined && fromBlock <= finalized) return null; // an open end is the last settled block
  const end = toBlock ?? Math.max(fromBlock, chainHead(deps, state));
  if (toTime !== undefined && toTime < state.updatedAtMs / 1000 && end > finalized && fromBlock <= finalized)
    return null;
  return end > finalized ? { from: Math.max(fromBlock, finalized + 1), to: end } : null;
}

/** Counts and digests the rows that the plan's export gives. */
export async function certify(deps: StoreDeps, { statements, parameters, window }: ExportPlan): Promise<Certificate> {
  const row = await deps.database.readOne(statements.certificate, parameters);
  return { ...window, rows: Number(row.row_count), digest: row.digest };
}

/** Transfers begin with the log of the last one received, as rows of its batch can be missing. */
function placeParameters({ kind, after }: ExportQuery) {
  if (!after) return { at_block: 0, at_index: -1, at_batch: -1 };
  const { block, index, batch = wholeBatch } = after;
  return { at_block: block, at_index: kind === 'transfers' ? index - 1 : index, at_batch: batch };
}
