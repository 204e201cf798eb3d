import { CordscanError, CoverageError, ExportError } from './errors.ts';
import type { components, paths } from './openapi.gen.ts';
import { delay, type Requests } from './requests.ts';
import { type ExportedRow, type ExportKind, RowDigest } from './row-digest.ts';

export type Certificate = components['schemas']['ExportCertificate'];

type Window = NonNullable<paths['/api/v1/export/{kind}/certificate']['get']['parameters']['query']>;

export interface ExportOptions extends Omit<Window, 'after'> {
  /** Position of the last row of an incomplete export, from positionOf(), to continue after it. */
  readonly after?: string;
  /** True: omit blocks that are not indexed; the certificate lists them. Default: throw a CoverageError. */
  readonly acceptGaps?: boolean;
  readonly signal?: AbortSignal;
}

const reconnectMs = 1_000;
/** Maximum silence of a reply, ms. The database may need long to find the first rows of an account. */
const silenceMs = 120_000;
const certificatePath = '/api/v1/export/{kind}/certificate';

/** Returns the position of a row, for ExportOptions.after. */
export function positionOf(kind: ExportKind, row: ExportedRow): string {
  const { blockNumber, txIndex, logIndex, batchIndex } = row;
  if (kind === 'anchors') return `${blockNumber}:0`;
  if (kind === 'transactions') return `${blockNumber}:${txIndex}`;
  return kind === 'logs' ? `${blockNumber}:${logIndex}` : `${blockNumber}:${logIndex}:${batchIndex}`;
}

interface Progress {
  readonly digest: RowDigest;
  after: string | undefined;
  window: { readonly fromBlock: number; readonly toBlock: number } | undefined;
  isComplete?: boolean;
}

/**
 * Yields batches of rows in chain order, and returns their certificate.
 * @throws as Cordscan.exportBatches()
 */
export async function* exportBatches(
  requests: Requests,
  kind: ExportKind,
  options: ExportOptions,
): AsyncGenerator<ExportedRow[], Certificate> {
  const { acceptGaps = false, signal, ...selection } = options;
  const given = signal ? { signal } : {};
  const progress: Progress = { digest: new RowDigest(kind), after: options.after, window: undefined };
  let failures = 0;
  while (!progress.isComplete) {
    const before = progress.digest.rows;
    try {
      yield* readRows(requests, selection, progress, given);
    } catch (error) {
      failures = progress.digest.rows > before ? 0 : failures + 1;
      if (signal?.aborted || error instanceof CordscanError || failures > requests.retries) throw error;
      await delay(reconnectMs, signal);
    }
  }
  const query = inWindow({ ...selection }, progress.window);
  const certificate = await requests.json('GET', certificatePath, { path: { kind }, query, ...given });
  check(progress.digest, certificate as Certificate, acceptGaps);
  const { toBlock } = certificate as Certificate;
  const { toBlock: asked = toBlock, toTime } = selection;
  if (toTime === undefined && asked > toBlock && !acceptGaps) throw notFinal(toBlock + 1, asked);
  return certificate as Certificate;
}

const notFinal = (from: number, to: number) =>
  new CoverageError(503, { code: 'indexing', detail: `blocks ${from} to ${to} are not final yet` });

function inWindow(selection: Record<string, unknown>, window: Progress['window']): Record<string, unknown> {
  const isEmpty = !window || window.fromBlock > window.toBlock;
  return isEmpty ? selection : { ...selection, ...window, fromTime: undefined, toTime: undefined };
}

function check(digest: RowDigest, { rows, digest: wanted, gaps }: Certificate, acceptGaps: boolean): void {
  digest.assertEquals(rows, wanted);
  const [gap] = gaps;
  if (gap && !acceptGaps)
    throw new CoverageError(503, {
      code: 'indexing',
      detail: `blocks ${gap.from} to ${gap.to} are not indexed`,
      details: { gaps },
    });
}

async function* readRows(
  requests: Requests,
  selection: object,
  progress: Progress,
  given: { signal?: AbortSignal },
): AsyncGenerator<ExportedRow[]> {
  const { after, digest } = progress;
  const { kind } = digest;
  const query = inWindow({ ...selection, after, format: 'ndjson' }, progress.window);
  const reply = await requests.open('/api/v1/export/{kind}', { path: { kind }, query, ...given }, silenceMs);
  progress.window ??= windowOf(reply.headers);
  let rest = '';
  for await (const text of reply.texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    const rows = lines.map((line) => JSON.parse(line) as ExportedRow);
    progress.isComplete = rows.at(-1)?.['certificate'] !== undefined;
    if (progress.isComplete) rows.pop();
    const last = rows.at(-1);
    if (!last) continue;
    await digest.add(rows);
    progress.after = positionOf(kind, last);
    yield rows;
  }
  if (!progress.isComplete) throw new ExportError('the reply ended before its last row');
}

function windowOf(headers: Headers): { fromBlock: number; toBlock: number } {
  const match = /^(\d+)-(-?\d+)$/.exec(headers.get('X-Export-Window') ?? '');
  if (!match) throw new ExportError('the reply has no X-Export-Window header: the URL is not a Cordscan API');
  return { fromBlock: Number(match[1]), toBlock: Number(match[2]) };
}
