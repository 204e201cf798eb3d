export interface Rule {
  readonly rule: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly test: string;
  /** Pattern of titles of the tests to run; default: all tests of the file. */
  readonly match?: string;
}
