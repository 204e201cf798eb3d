import type { components } from './openapi.gen.ts';

type Problem = components['schemas']['Problem'];
export type ProblemCode = Problem['code'];

/** Error reply of a Cordscan service. @source RFC 9457 */
export class CordscanError extends Error {
  override readonly name: string = 'CordscanError';
  readonly status: number;
  /** API error code; `unknown` if another program replied, for example a proxy. */
  readonly code: ProblemCode | 'unknown';
  readonly details: Readonly<Record<string, unknown>>;
  /** Id of the request in the service's log. */
  readonly requestId: string | undefined;

  /** True if the same request may succeed later. */
  get isTemporary(): boolean {
    return this.status === 429 || this.status >= 500;
  }

  constructor(status: number, problem: Partial<Problem>) {
    super(`${problem.code ?? 'unknown'}: ${problem.detail ?? `status ${status}`}`);
    this.status = status;
    this.code = problem.code ?? 'unknown';
    this.details = (problem.details ?? {}) as Record<string, unknown>;
    this.requestId = problem.requestId;
  }
}

/** The index lacks requested blocks, so data read so far is incomplete: retry later. */
export class CoverageError extends CordscanError {
  override readonly name = 'CoverageError';
}

/** A reorg removed blocks that were already read. Discard rows above `forkBlock` and read again. */
export class ReorgError extends CordscanError {
  override readonly name = 'ReorgError';
  /** Last block that the reorg did not replace; null: unknown, so discard all unfinalized rows. */
  readonly forkBlock: number | null;

  constructor(status: number, problem: Partial<Problem>) {
    super(status, problem);
    const fork = this.details['forkBlock'];
    this.forkBlock = typeof fork === 'number' ? fork : null;
  }
}

/** An export ended early, or its rows do not match their digest. */
export class ExportError extends Error {
  override readonly name = 'ExportError';
}

export async function readError(reply: Response): Promise<CordscanError> {
  const problem = await reply.json().catch(() => ({}));
  const own = (problem !== null && typeof problem === 'object' ? problem : {}) as Partial<Problem>;
  if (own.code === 'indexing') return new CoverageError(reply.status, own);
  if (own.code === 'snapshot_invalidated') return new ReorgError(reply.status, own);
  return new CordscanError(reply.status, own);
}
