import { CordscanError, CoverageError, ExportError } from './errors.ts';
import type { components, paths } from './openapi.gen.ts';
import { delay, type Requests } from './requests.ts';
import { type ExportedRow, type ExportKind, RowDigest } from './row-digest.ts';

export type Certificate = components['schemas']['ExportCertificate'];

type Selection = NonNullable<paths['/api/v1/export/{kind}/certificate']['get']['parameters']['query']>;

interface BlockRange {
  readonly from: number;
  readonly to: number;
}

interface Window {
  readonly fromBlock: number;
  readonly toBlock: number;
  /** Requested blocks that are not finalized yet. */
  readonly unfinalized: BlockRange | undefined;
}

export interface ExportOptions extends Omit<Selection, 'after'> {
  /** Position of the last received row, from positionOf(), to continue after it. */
  readonly after?: string;
  /** true: omit blocks that are not indexed; the certificate lists them. Default: throw a CoverageError. */
  readonly acceptGaps?: boolean;
  readonly signal?: AbortSignal;
}

/** The reply is not from a Cordscan API, so a retry is useless. */
class ForeignReplyError extends ExportError {}

const reconnectMs = 1_000;
/** Maximum silence during a reply, ms. Finding the first rows of an account can take the database long. */
const silenceMs = 120_000;
/**
 * Timeout of a certificate, ms, because the service counts all rows. Node's fetch waits for headers at most this long.
 */
export const certificateMs = 300_000;
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
  /** Block range of the first reply. */
  window: Window | undefined;
  /** From the end of the last reply; covers the rows after `after`. */
  certified?: { readonly certificate: Certificate; readonly after: string | undefined };
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
  while (!progress.certified) {
    const before = progress.digest.rows;
    try {
      yield* readRows(requests, selection, progress, given);
    } catch (error) {
      failures = progress.digest.rows > before ? 0 : failures + 1;
      if (
        signal?.aborted ||
        error instanceof CordscanError ||
        error instanceof ForeignReplyError ||
        failures > requests.retries
      )
        throw error;
      await delay(reconnectMs, signal);
    }
  }
  const certificate = await readCertificate(requests, selection, progress, given);
  check(progress.digest, certificate, acceptGaps);
  const unfinalized = certificate.unfinalized ?? progress.window?.unfinalized;
  if (!unfinalized) return certificate;
  if (hasEnd(selection) && !acceptGaps) throw notFinal(unfinalized);
  // after a reconnect, the certificate covers only the blocks of the first reply, not later ones
  return { ...certificate, unfinalized, complete: false };
}

const hasEnd = ({ toBlock, toTime }: Selection) => toBlock !== undefined || toTime !== undefined;

/**
 * Returns the certificate of all rows. If the last reply continued an earlier one, requests the certificate separately.
 */
async function readCertificate(
  requests: Requests,
  selection: Selection,
  { digest: { kind }, window, certified }: Progress,
  given: { signal?: AbortSignal },
): Promise<Certificate> {
  if (certified && certified.after === selection.after) return certified.certificate;
  const query = inWindow({ ...selection }, window);
  const call = { path: { kind }, query, timeoutMs: certificateMs, ...given };
  return (await requests.json('GET', certificatePath, call)) as Certificate;
}

const notFinal = ({ from, to }: BlockRange) =>
  new CoverageError(503, { code: 'indexing', detail: `blocks ${from} to ${to} are not final yet` });

function inWindow(selection: Record<string, unknown>, window: Window | undefined): Record<string, unknown> {
  if (!window || window.fromBlock > window.toBlock) return selection;
  const { fromBlock, toBlock } = window;
  return { ...selection, fromBlock, toBlock, fromTime: undefined, toTime: undefined };
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
  // for an account without rows, the service replies only after it has counted all rows
  const call = { path: { kind }, query, timeoutMs: Math.max(requests.timeoutMs, certificateMs), ...given };
  const reply = await requests.open('/api/v1/export/{kind}', call, silenceMs);
  try {
    progress.window ??= readWindow(reply.headers);
  } catch (error) {
    await reply.cancel();
    throw error;
  }
  let rest = '';
  for await (const text of reply.texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    const rows = lines.map((line) => JSON.parse(line) as ExportedRow);
    const certificate = rows.at(-1)?.['certificate'] as Certificate | undefined;
    if (certificate) rows.pop();
    const last = rows.at(-1);
    if (last) {
      await digest.add(rows);
      progress.after = positionOf(kind, last);
      yield rows;
    }
    if (certificate) progress.certified = { certificate, after };
  }
  if (!progress.certified) throw new ExportError('the reply ended before its last row');
}

function readWindow(headers: Headers): Window {
  const range = readRange(headers, 'X-Export-Window');
  if (!range) throw new ForeignReplyError('the reply has no X-Export-Window header: the URL is not a Cordscan API');
  return { fromBlock: range.from, toBlock: range.to, unfinalized: readRange(headers, 'X-Export-Unsettled') };
}

function readRange(headers: Headers, name: string): BlockRange | undefined {
  const match = /^(\d+)-(-?\d+)$/.exec(headers.get(name) ?? '');
  return match ? { from: Number(match[1]), to: Number(match[2]) } : undefined;
}
