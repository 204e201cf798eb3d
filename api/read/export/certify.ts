import { type ChainState, finalThrough } from '#sql/snapshot.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { describeGap, getCoverage } from '../chain/freshness.ts';
import { assertRowsKept } from '../chain/hold-last.ts';
import { nothingIndexed } from '../chain/snapshot-reader.ts';
import type { ChainDeps, CoverageDeps, SnapshotDeps, StoreDeps } from '../reader-deps.ts';
import type { DocumentSigner } from './document-signer.ts';
import type { ExportPlan, ExportWindow } from './plan.ts';

export interface Certificate extends ExportWindow {
  readonly rows: number;
  /** Does not depend on the order and format of the rows. */
  readonly digest: string;
  /** Compact JWS. */
  readonly signature: string;
}

export type CertifyDeps = StoreDeps &
  ChainDeps &
  CoverageDeps &
  SnapshotDeps & { readonly documentSigner: DocumentSigner };

const maxTries = 4;

/**
 * Counts the rows of an export and signs the result. Counting may take minutes. New blocks do not change the rows, but
 * a repair or rewind may: then the rows are counted again, until two counts are equal.
 * @param gone cancels the count
 * @throws ApiProblem indexing if blocks of the export have become missing, store_unavailable if rows keep changing
 */
export async function certify(deps: CertifyDeps, plan: ExportPlan, gone: AbortSignal): Promise<Certificate> {
  const { rows, digest } = await countUnchanged(deps, plan, gone);
  const certificate = { ...plan.window, rows, digest };
  return { ...certificate, signature: await deps.documentSigner.sign(toDocument(deps, plan, certificate)) };
}

/**
 * Certifies an export whose rows were already sent.
 * @throws as certify(); Error if a repair or rewind has replaced blocks of the export
 */
export async function certifySent(deps: CertifyDeps, plan: ExportPlan, gone: AbortSignal): Promise<Certificate> {
  const certificate = await certify(deps, plan, gone);
  assertRowsKept(plan.state, await indexedState(deps, plan), plan.window.toBlock);
  return certificate;
}

/**
 * Rejects an export if one of its quarantined blocks was stored later: the block would be counted, but was not sent.
 * @throws ApiProblem store_unavailable
 */
function assertQuarantineKept(state: ChainState, { window, state: planned }: ExportPlan): void {
  const { fromBlock, toBlock } = window;
  const stored = planned.quarantined.find(
    (block) => block >= fromBlock && block <= toBlock && !state.quarantined.includes(block),
  );
  if (stored !== undefined)
    throw new ApiProblem('store_unavailable', `block ${stored} was stored after this export began: export it again`);
}

async function countUnchanged(deps: CertifyDeps, plan: ExportPlan, gone: AbortSignal) {
  const { statements, parameters } = plan;
  const database = deps.database.cancelledBy(gone);
  let last: string | undefined;
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const before = await indexedState(deps, plan);
    const row = await database.readOne(statements.certificate, parameters);
    const after = await indexedState(deps, plan);
    assertQuarantineKept(after, plan);
    const counted = `${row.row_count}:${row.digest}`;
    if (after.reorgGeneration === before.reorgGeneration || counted === last)
      return { rows: Number(row.row_count), digest: row.digest };
    last = counted;
  }
  throw new ApiProblem('store_unavailable', 'the rows of this export changed while they were counted; try again');
}

/** @throws ApiProblem indexing if the newest state lacks blocks of the export */
async function indexedState(deps: CertifyDeps, { window }: ExportPlan): Promise<ChainState> {
  const state = await deps.snapshots.current();
  if (!state) throw nothingIndexed();
  const { fromBlock, toBlock } = window;
  if (fromBlock > toBlock) return state;
  const missing = [...getCoverage(deps, state, fromBlock, toBlock).gaps];
  const finalized = finalThrough(state);
  if (finalized < toBlock) missing.push({ from: Math.max(fromBlock, finalized + 1), to: toBlock });
  const lost = missing.find(({ from, to }) => !window.gaps.some((gap) => gap.from <= from && to <= gap.to));
  if (lost) throw new ApiProblem('indexing', `blocks of this export are missing now: ${describeGap(state, lost)}`);
  return state;
}

/** Returns the document to sign. It contains the start position, because rows before it are not counted. */
function toDocument(
  { settings }: ChainDeps,
  { parameters: { address, token, at_block, at_index, at_batch } }: ExportPlan,
  { kind, fromBlock, toBlock, rows, digest, gaps }: Omit<Certificate, 'signature'>,
): Record<string, unknown> {
  const after = at_block === 0 && at_index === -1 ? null : [at_block, at_index, at_batch];
  const subject = { address: address ? `0x${address}` : null, token: token ? `0x${token}` : null, after };
  return { type: 'export', chainId: settings.chainId, kind, ...subject, fromBlock, toBlock, rows, digest, gaps };
}
