import { type Cordscan, certificateMs, type ExportKind } from '#client/index.ts';
import { getBlock, type Holding, type Target, tableOrder } from './target.ts';

export interface FollowOptions {
  /** False: ends at the newest block. */
  readonly follows: boolean;
  readonly signal: AbortSignal;
  readonly onChange: (text: string) => void;
}

/** Keeps a copy up to date until the signal fires. @throws as Cordscan.changes(), and errors of the target */
export async function followChain(cordscan: Cordscan, target: Target, options: FollowOptions): Promise<void> {
  const { follows, signal, onChange } = options;
  for (let isDone = false; !isDone && !signal.aborted; ) {
    const since = await target.position();
    isDone = true;
    for await (const change of cordscan.changes({ since, follows, signal })) {
      if (change.type === 'added') {
        await target.add(change);
        onChange(`blocks ${change.fromBlock} to ${change.toBlock} stored`);
        continue;
      }
      const position = await target.remove(change.fromBlock);
      onChange(`blocks from ${change.fromBlock} removed after a reorg or a repair`);
      isDone = getBlock(position) === getBlock(change.position);
      if (!isDone) break; // the target removed more blocks: read them again
    }
  }
}

export interface Comparison {
  readonly toBlock: number;
  readonly holding: Holding;
  /** Tables whose rows differ from those of the service. */
  readonly differing: readonly ExportKind[];
}

/** Compares the stored rows of finalized blocks with the certificates of the service. */
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
    const { rows, digest } = certificate as { rows: number; digest: string };
    if (rows !== holding.tables[kind].rows || digest !== holding.tables[kind].digest) differing.push(kind);
  }
  return { toBlock, holding, differing };
}
