import type { Standing } from '../http/rate-tiers.ts';

export interface CompatibleRequest<D = unknown> {
  readonly deps: D;
  /** By lower-case name. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Actions add reply headers. */
  readonly headers: Record<string, string>;
  /** Set once the action has checked that the index covers the request. */
  readonly proof: { isCovered: boolean };
  /** Of the caller. */
  readonly standing?: Standing | undefined;
}

/** @returns the value of `result` */
export type CompatibleAction<D = unknown> = (request: CompatibleRequest<D>) => Promise<unknown>;

/** By default `result` is the text and `message` is NOTOK. */
export class CompatibleError extends Error {
  override readonly name = 'CompatibleError';
  readonly reply: { status: '0'; message: string; result: unknown };

  constructor(text: string, field: 'result' | 'message' = 'result', result: unknown = null) {
    super(text);
    this.reply =
      field === 'result' ? { status: '0', message: 'NOTOK', result: text } : { status: '0', message: text, result };
  }
}

/** Throw it only if the index covers the request. */
export class EmptyAnswer extends CompatibleError {
  constructor(text: string) {
    super(text, 'message', []);
  }
}

/** Clients recognise these texts as empty results. @source docs/migrating.md#what-differs */
export const noTransactions = () => new EmptyAnswer('No transactions found');
export const noRecords = () => new EmptyAnswer('No records found');

/** Without the envelope. */
export class PlainText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
