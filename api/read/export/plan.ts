import { type ChainState, finalThrough, snapshotParameters } from '#sql/snapshot.ts';
import type { ParametersOf } from '#sql/statement-types.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { type BlockWindow, blockWindow, isFinalRange, type WindowQuery } from '../chain/block-window.ts';
import { chainHead, getCoverage } from '../chain/freshness.ts';
import type { CoverageDeps, NodeDeps, TimeDeps } from '../reader-deps.ts';
import { type ExportKind, type ExportStatements, type Selection, selectStatements } from './kinds.ts';

/** `batch` numbers the transfers of one log. */
interface RowPosition {
  readonly block: number;
  readonly index: number;
  readonly batch?: number | undefined;
}

interface ExportQuery extends WindowQuery, Selection {
  readonly kind: ExportKind;
  readonly after?: RowPosition | undefined;
}

export interface ExportWindow {
  readonly kind: ExportKind;
  readonly fromBlock: number;
  /** Last exported block; below `fromBlock` if no block is exported. */
  readonly toBlock: number;
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
  readonly unfinalized: { readonly from: number; readonly to: number } | null;
  readonly complete: boolean;
}

export interface ExportPlan {
  readonly state: ChainState;
  readonly statements: ExportStatements;
  readonly parameters: ParametersOf<ExportStatements['rows' | 'certificate']>;
  readonly window: ExportWindow;
}

const afterBatch = 2 ** 32;
/** The reply's headers list the gaps, and clients accept about 16 KiB of headers. */
const maxGaps = 200;

/**
 * Plans an export of finalized blocks. These never change, so a client can resume or repeat the export.
 * @throws ApiProblem bad_query, indexing if the range has too many gaps
 */
export async function planExport(
  deps: TimeDeps & CoverageDeps,
  state: ChainState,
  query: ExportQuery,
): Promise<ExportPlan> {
  const { statements, parameters: filters } = selectStatements(query.kind, query);
  if ((query.fromBlock ?? 0) > (query.toBlock ?? Number.MAX_SAFE_INTEGER))
    throw new ApiProblem(
      'bad_query',
      `fromBlock must not be above toBlock, got ${query.fromBlock} and ${query.toBlock}`,
    );
  const found = await blockWindow(deps, state, { head: finalThrough(state) }, query);
  const { toBlock } = found;
  const fromBlock = query.fromTime === undefined ? found.fromBlock : withGapBelow(deps, state, found.fromBlock, query);
  const isEmpty = fromBlock > toBlock;
  const { gaps } = isEmpty ? { gaps: [] } : getCoverage(deps, state, fromBlock, toBlock);
  const last = gaps[maxGaps];
  if (last !== undefined)
    throw new ApiProblem(
      'indexing',
      `blocks ${fromBlock} to ${toBlock} have more than ${maxGaps} gaps in the index: wait until they are filled, or export up to block ${last.from - 1}`,
    );
  const unfinalized = unfinalizedPart(deps, state, query, found);
  return {
    state,
    statements,
    parameters: {
      ...snapshotParameters(state),
      ...filters,
      ...positionParameters(query),
      ...(isEmpty ? { from_block: 1, to_block: 0 } : { from_block: fromBlock, to_block: toBlock }),
    },
    window: { kind: query.kind, fromBlock, toBlock, gaps, unfinalized, complete: gaps.length === 0 && !unfinalized },
  };
}

/**
 * Returns the first block of a time range. Blocks that are missing directly below the first indexed block may belong to
 * the range too.
 */
function withGapBelow(deps: CoverageDeps, state: ChainState, found: number, { fromBlock = 0 }: ExportQuery): number {
  const gap = getCoverage(deps, state, fromBlock, found - 1).gaps.at(-1);
  return gap?.to === found - 1 ? gap.from : found;
}

/** Returns the requested blocks that are not finalized. @param found the finalized blocks of the query */
function unfinalizedPart(deps: NodeDeps, state: ChainState, query: ExportQuery, found: BlockWindow) {
  const { toBlock, toTime } = query;
  const finalized = finalThrough(state);
  const beginsLater = toBlock === undefined && toTime === undefined && found.fromBlock > finalized;
  if (isFinalRange(state, query, found) && !beginsLater) return null;
  const from = Math.max(found.fromBlock, finalized + 1);
  return { from, to: toBlock ?? Math.max(from, chainHead(deps, state)) };
}

/** Transfers resume at the log of the last row, because the client may lack other transfers of that log. */
function positionParameters({ kind, after }: ExportQuery) {
  if (!after) return { at_block: 0, at_index: -1, at_batch: -1 };
  const { block, index, batch = afterBatch } = after;
  return { at_block: block, at_index: kind === 'transfers' ? index - 1 : index, at_batch: batch };
}
