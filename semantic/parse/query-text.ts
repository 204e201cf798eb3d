export type Groups = [first: string, second: string, third: string];

export function readGroups([, first = '', second = '', third = '']: RegExpExecArray): Groups {
  return [first, second, third];
}

/** Search query text. The parser removes what it understands. */
export class QueryText {
  #rest: string;
  readonly original: string;

  constructor(original: string) {
    this.original = original;

    this.#rest = original;
  }

  /** ` | ` replaces each removed part, so that the words around it don't become one phrase. */
  get rest(): string {
    return this.#rest;
  }

  find(pattern: RegExp): RegExpExecArray | undefined {
    return pattern.exec(this.#rest) ?? undefined;
  }

  take(pattern: RegExp): RegExpExecArray | undefined {
    const match = this.find(pattern);
    if (match) this.cut(match);
    return match;
  }

  takeIf<T>(pattern: RegExp, accept: (words: string, ...groups: Groups) => T | undefined): T | undefined {
    const match = this.find(pattern);
    const value = match && accept(match[0], ...readGroups(match));
    if (match && value !== undefined) this.cut(match);
    return value;
  }

  /** Removes a match of the current text. */
  cut({ index, 0: words }: Pick<RegExpExecArray, 'index' | 0>): void {
    this.#rest = `${this.#rest.slice(0, index)} | ${this.#rest.slice(index + words.length)}`;
  }
}
