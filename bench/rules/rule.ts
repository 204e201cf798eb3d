/** A safety rule, and how to remove it from a copy of the program. */
export interface Rule {
  readonly rule: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly test: string;
  /** Titles of the tests to run; default: all of the file. */
  readonly match?: string;
}
