import type { Standing } from '../http/rate-tiers.ts';

export interface CompatibleRequest<D = unknown> {
  readonly deps: D;
  /** The names are in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Reply headers, which actions add. */
  readonly headers: Record<string, string>;
  /** True once the action has checked that the index has all requested blocks. */
  readonly proof: { isCovered: boolean };
  /** Rate limit status of the caller. */
  readonly standing?: Standing | undefined;
}

export type CompatibleAction<D = unknown> = (request: CompatibleRequest<D>) => Promise<unknown>;

/** By default, the reply field `result` is the text and `message` is NOTOK. */
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

/** Clients recognise these texts as empty results. @source docs/migrating.md#what-differs */
export const noTransactions = () => new EmptyAnswer('No transactions found');
export const noRecords = () => new EmptyAnswer('No records found');

/** Sent without the JSON envelope. */
export class PlainText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
