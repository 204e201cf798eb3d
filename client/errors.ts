/** Errors of the API, by what a program does about them. */
import type { components } from './openapi.gen.ts';

type Problem = components['schemas']['Problem'];
export type ProblemCode = Problem['code'];

/** Error reply of the API. @source RFC 9457 */
export class CordscanError extends Error {
  override readonly name: string = 'CordscanError';
  /** HTTP status. */
  readonly status: number;
  /** Stable code of the error; `unknown` if the reply is not one of the API, for example one of a proxy. */
  readonly code: ProblemCode | 'unknown';
  readonly details: Readonly<Record<string, unknown>>;
  /** Id of the request in the log of the service. */
  readonly requestId: string | undefined;

  /** Whether the same request may succeed later. */
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

/** The index lacks blocks that the answer needs. Ask again later; do not take what was read so far for the whole. */
export class CoverageError extends CordscanError {
  override readonly name = 'CoverageError';
}

/** A reorg removed blocks of the rows that were read. Discard rows above `forkBlock`, and read again from there. */
export class ReorgError extends CordscanError {
  override readonly name = 'ReorgError';
  /** Last block that both branches have; null: unknown, discard all rows above finality. */
  readonly forkBlock: number | null;

  constructor(status: number, problem: Partial<Problem>) {
    super(status, problem);
    const fork = this.details['forkBlock'];
    this.forkBlock = typeof fork === 'number' ? fork : null;
  }
}

/** An export broke off, or its rows do not match their digest. */
export class ExportError extends Error {
  override readonly name = 'ExportError';
}

/** Returns the error of a reply. Reads its body. */
export async function errorOf(reply: Response): Promise<CordscanError> {
  const problem = await reply.json().catch(() => ({}));
  const own = (problem !== null && typeof problem === 'object' ? problem : {}) as Partial<Problem>;
  if (own.code === 'indexing') return new CoverageError(reply.status, own);
  if (own.code === 'snapshot_invalidated') return new ReorgError(reply.status, own);
  return new CordscanError(reply.status, own);
}
