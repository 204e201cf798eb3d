/** A safety rule of the program, how to remove it from a copy of the program, and the test that must then fail. */
export interface Rule {
  readonly rule: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly test: string;
  /** Pattern of titles of the tests to run; default: all tests of the file. */
  readonly match?: string;
}
