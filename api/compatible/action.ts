import type { Standing } from '../http/rate-tiers.ts';

export interface CompatibleRequest<D = unknown> {
  readonly deps: D;
  /** By lower-case name. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly headers: Record<string, string>;
  /** True after the action has checked that the index covers all requested blocks. */
  readonly proof: { isCovered: boolean };
  readonly caller: string;
  readonly ip: string;
  /** Aborted when the reply was sent or the client has disconnected. */
  readonly gone: AbortSignal;
  /** Counts cost and stored bytes against the caller's limits. @throws ApiProblem rate_limited */
  readonly charge: (cost: number, bytes: number) => Promise<void>;
  readonly standing?: Standing | undefined;
}

/** Returns the extra cost of a list of accounts: each 20 accounts cost as much as one request. */
export const computeCost = (count: number): number => Math.ceil(count / 20) - 1;

export type CompatibleAction<D = unknown> = (request: CompatibleRequest<D>) => Promise<unknown>;

/** Error reply. By default, its `result` is the text and its `message` is NOTOK. */
export class CompatibleError extends Error {
  override readonly name = 'CompatibleError';
  readonly reply: { status: '0'; message: string; result: unknown };

  constructor(text: string, field: 'result' | 'message' = 'result', result: unknown = null) {
    super(text);
    this.reply =
      field === 'result' ? { status: '0', message: 'NOTOK', result: text } : { status: '0', message: text, result };
  }
}

/** Reply without rows. The route replaces it by an error if the index may lack rows. */
export class EmptyAnswer extends CompatibleError {
  constructor(text: string) {
    super(text, 'message', []);
  }
}

/** Clients recognise these two texts as empty results. @source docs/migrating.md#what-differs */
export const noTransactions = () => new EmptyAnswer('No transactions found');
export const noRecords = () => new EmptyAnswer('No records found');

/** Text reply without the JSON envelope. */
export class PlainText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
