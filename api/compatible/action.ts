/** What an action of the compatible interface is, and how it says no. */
import type { Standing } from '../http/rate-tiers.ts';

export interface CompatibleRequest<D = unknown> {
  readonly deps: D;
  /** By lower-case name. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Headers of the reply, to be added to. */
  readonly headers: Record<string, string>;
  /** Set once the action itself has shown that the index covers what it was asked about. */
  readonly proof: { isCovered: boolean };
  /** What is left of the caller's budget. */
  readonly standing?: Standing | undefined;
}

/** @typeParam D what it takes of all that the service has. @returns what stands under `result` */
export type CompatibleAction<D = unknown> = (request: CompatibleRequest<D>) => Promise<unknown>;

/** A refusal: by default the text is the result and the message NOTOK. */
export class CompatibleError extends Error {
  override readonly name = 'CompatibleError';
  readonly reply: { status: '0'; message: string; result: unknown };

  constructor(text: string, place: 'result' | 'message' = 'result', result: unknown = null) {
    super(text);
    this.reply =
      place === 'result' ? { status: '0', message: 'NOTOK', result: text } : { status: '0', message: text, result };
  }
}

/** Nothing is there, which is said only where the index covers what was asked about. */
export class EmptyAnswer extends CompatibleError {
  constructor(text: string) {
    super(text, 'message', []);
  }
}

/** Clients know these texts for "empty". @source conventions 2.2 */
export const noTransactions = () => new EmptyAnswer('No transactions found');
export const noRecords = () => new EmptyAnswer('No records found');

/** An answer without an envelope, as text. */
export class PlainText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
