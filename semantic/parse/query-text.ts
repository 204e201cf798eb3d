/** What the first three groups of a pattern took; empty where one took nothing. */
export type Groups = [first: string, second: string, third: string];

export function groupsOf([, first = '', second = '', third = '']: RegExpExecArray): Groups {
  return [first, second, third];
}

/** A query of which understood parts are taken out, one after the other. */
export class QueryText {
  #rest: string;
  readonly original: string;

  constructor(original: string) {
    this.original = original;

    this.#rest = original;
  }

  /** What is left, with ` | ` for every part that was taken, so that words that were apart stay apart. */
  get rest(): string {
    return this.#rest;
  }

  /** First match of a pattern in what is left, without taking it. */
  find(pattern: RegExp): RegExpExecArray | undefined {
    return pattern.exec(this.#rest) ?? undefined;
  }

  /** First match, taken out. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    const match = this.find(pattern);
    if (match) this.#cut(match);
    return match;
  }

  /** First match that `accept` makes something of, taken out only then. */
  takeIf<T>(pattern: RegExp, accept: (words: string, ...groups: Groups) => T | undefined): T | undefined {
    const match = this.find(pattern);
    const value = match && accept(match[0], ...groupsOf(match));
    if (match && value !== undefined) this.#cut(match);
    return value;
  }

  #cut({ index, 0: words }: RegExpExecArray): void {
    this.#rest = `${this.#rest.slice(0, index)} | ${this.#rest.slice(index + words.length)}`;
  }
}
