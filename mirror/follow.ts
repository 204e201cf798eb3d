import { type Cordscan, CoverageError, certificateMs, type ExportKind } from '#client/index.ts';
import { getBlock, type Holding, type Target, tableOrder } from './target.ts';

export interface FollowOptions {
  /** false: end at the newest block. */
  readonly follows: boolean;
  readonly signal: AbortSignal;
  readonly onChange: (text: string) => void;
  /** Called with each error that does not end the copy. */
  readonly onRetry?: (error: unknown) => void;
}

/** @throws as Cordscan.changes(), and errors of the target */
export async function followChain(cordscan: Cordscan, target: Target, options: FollowOptions): Promise<void> {
  const { follows, signal, onChange, onRetry = () => {} } = options;
  for (let isDone = false; !isDone && !signal.aborted; ) {
    const since = await target.position();
    isDone = true;
    for await (const change of cordscan.changes({ since, follows, signal, onRetry })) {
      if (change.type === 'added') {
        await target.add(change);
        onChange(`blocks ${change.fromBlock} to ${change.toBlock} stored`);
        continue;
      }
      const position = await target.remove(change.fromBlock);
      onChange(`blocks from ${change.fromBlock} removed after a reorg or a repair`);
      isDone = getBlock(position) === getBlock(change.position);
      if (!isDone) break; // the target removed more blocks: read these again
    }
  }
}

export interface Comparison {
  readonly toBlock: number;
  readonly holding: Holding;
  /** Tables whose rows differ from those of the service. */
  readonly differing: readonly ExportKind[];
}

/**
 * Compares the stored rows of finalized blocks with the certificates of the service.
 * @throws CoverageError if rows differ while the service lacks blocks
 */
export async function compareWithService(cordscan: Cordscan, target: Target): Promise<Comparison> {
  const { finalized } = await cordscan.get('/api/v1/status');
  const position = await target.position();
  const toBlock = Math.min(finalized ?? -1, Number(position?.split('-')[0] ?? -1));
  const holding = await target.sum(toBlock);
  const differing: ExportKind[] = [];
  for (const kind of holding.blocks ? tableOrder : []) {
    const query = { fromBlock: String(holding.blocks?.from), toBlock: String(toBlock) };
    const call = { path: { kind }, query, timeoutMs: certificateMs };
    const certificate = await cordscan.get('/api/v1/export/{kind}/certificate', call as never);
    const { rows, digest, complete } = certificate as { rows: number; digest: string; complete: boolean };
    if (rows === holding.tables[kind].rows && digest === holding.tables[kind].digest) continue;
    if (!complete) {
      const detail = `the service lacks blocks up to ${toBlock} at present, so ${kind} cannot be compared: try again later`;
      throw new CoverageError(503, { code: 'indexing', detail });
    }
    differing.push(kind);
  }
  return { toBlock, holding, differing };
}
