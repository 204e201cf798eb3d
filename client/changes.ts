import { CordscanError, ExportError } from './errors.ts';
import { delay, type Requests } from './requests.ts';
import { type ExportedRow, type ExportKind, RowDigest } from './row-digest.ts';

export const changeKinds = ['anchors', 'transactions', 'transfers', 'logs'] as const satisfies readonly ExportKind[];

export interface TableSum {
  readonly rows: number;
  /** 16 hex digits, see RowDigest. */
  readonly digest: string;
}

/** Block range whose row counts and digests match those of the service. */
export interface Addition {
  readonly type: 'added';
  readonly fromBlock: number;
  readonly toBlock: number;
  /** Hash of the last block. */
  readonly hash: string;
  /** Last finalized block; later blocks may still be removed. */
  readonly finalized: number;
  readonly rows: Readonly<Record<ExportKind, readonly ExportedRow[]>>;
  readonly tables: Readonly<Record<ExportKind, TableSum>>;
  /** Pass as `since` to continue after the range. */
  readonly position: string;
}

/** Blocks that a reorg removed or a repair corrected. Corrected blocks follow again. */
export interface Removal {
  readonly type: 'removed';
  readonly fromBlock: number;
  readonly toBlock: number;
  /** Pass as `since` to continue after the removal; undefined if no block is left. */
  readonly position: string | undefined;
}

export interface ChangeOptions {
  /** Position of the last applied change. Unset: start with the first block. */
  readonly since?: string | undefined;
  /** false: end at the newest block. Default: true, wait for new blocks. */
  readonly follows?: boolean;
  /** Called with each error that does not end the stream. */
  readonly onRetry?: (error: unknown) => void;
  readonly signal?: AbortSignal;
}

const waitSeconds = 20;
const silenceMs = 120_000;
const [reconnectMs, maxReconnectMs] = [1_000, 30_000];

interface Line {
  readonly type: 'row' | 'removed' | 'commit';
  readonly table: ExportKind;
  readonly row: ExportedRow;
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly hash: string;
  readonly finalized: number;
  readonly tables: Addition['tables'];
  readonly position: string | null;
}

interface Progress {
  since: string | undefined;
  failures: number;
  isAtEnd: boolean;
}

/** @throws as Cordscan.changes() */
export async function* readChanges(requests: Requests, options: ChangeOptions): AsyncGenerator<Addition | Removal> {
  const { since, follows = true, signal } = options;
  const progress: Progress = { since, failures: 0, isAtEnd: false };
  while (!signal?.aborted && (follows || !progress.isAtEnd)) yield* readOnce(requests, progress, options);
}

async function* readOnce(
  requests: Requests,
  progress: Progress,
  { follows = true, signal, onRetry }: ChangeOptions,
): AsyncGenerator<Addition | Removal> {
  const before = progress.since;
  try {
    for await (const change of readReply(requests, before, follows ? waitSeconds : 0, signal)) {
      progress.since = change.position;
      yield change;
    }
    progress.isAtEnd = progress.since === before;
    progress.failures = 0;
  } catch (error) {
    if (signal?.aborted) return;
    progress.failures = progress.since === before ? progress.failures + 1 : 0;
    const isLimited = (!follows || error instanceof SyntaxError) && progress.failures > requests.retries;
    if (isFinal(error, follows) || isLimited) throw error;
    onRetry?.(error);
    const pauseMs = Math.min(reconnectMs * 2 ** Math.max(0, progress.failures - 1), maxReconnectMs);
    await delay(pauseMs, signal).catch(() => undefined);
  }
}

/** While it follows the chain, the stream waits for an unavailable service. */
const isFinal = (error: unknown, follows: boolean) =>
  error instanceof CordscanError ? !(follows && error.isTemporary) : error instanceof ExportError;

async function* readReply(
  requests: Requests,
  since: string | undefined,
  wait: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Addition | Removal> {
  const query = { ...(since === undefined ? {} : { since }), wait: String(wait) };
  // without new blocks, the service replies after `wait` seconds
  const timeoutMs = requests.timeoutMs + wait * 1_000;
  const reply = await requests.open('/api/v1/changes', { query, timeoutMs, ...(signal ? { signal } : {}) }, silenceMs);
  let pending: Line[] = [];
  for await (const line of readLines(reply.texts)) {
    const parsed = JSON.parse(line) as Line;
    if (parsed.type === 'row') {
      pending.push(parsed);
      continue;
    }
    assertForm(parsed);
    yield parsed.type === 'removed' ? toRemoval(parsed) : await toAddition(parsed, pending);
    pending = [];
  }
  if (pending.length > 0) throw new Error('the reply ended in the middle of a range');
}

async function* readLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new Error('the reply ended in the middle of a line');
}

const isHeight = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const positionForm = /^\d{1,15}-0x[0-9a-f]{64}(-\d{1,15})?$/;

/** Checks values that a copy writes into file names and SQL. @throws ExportError */
function assertForm({ type, fromBlock, toBlock, finalized, hash, position }: Line): void {
  const isRange = isHeight(fromBlock) && isHeight(toBlock) && fromBlock <= toBlock;
  const isText = (value: unknown, form: RegExp) => typeof value === 'string' && form.test(value);
  const isPosition = (position ?? null) === null || isText(position, positionForm);
  const isCommit = type === 'commit' && Number.isSafeInteger(finalized) && isText(hash, /^0x[0-9a-f]{64}$/);
  if (!isRange || !isPosition || !(type === 'removed' || isCommit))
    throw new ExportError('the service sent a change of an unknown form');
}

const toRemoval = ({ fromBlock, toBlock, position }: Line): Removal => ({
  ...{ type: 'removed', fromBlock, toBlock },
  position: position ?? undefined,
});

async function toAddition(commit: Line, lines: readonly Line[]): Promise<Addition> {
  const { fromBlock, toBlock, hash, finalized, tables } = commit;
  const rows: Record<ExportKind, ExportedRow[]> = { anchors: [], transactions: [], transfers: [], logs: [] };
  for (const { table, row } of lines) rows[table].push(row);
  for (const kind of changeKinds) {
    const digest = new RowDigest(kind);
    await digest.add(rows[kind]);
    digest.assertEquals(tables[kind].rows, tables[kind].digest);
  }
  const position = commit.position ?? `${toBlock}-${hash}`;
  return { type: 'added', fromBlock, toBlock, hash, finalized, rows, tables, position };
}
