/** What a statement is given and gives, by its name. */
import type { Binary, Bound, Json } from './column-types.ts';
import type { Reading, Writing } from './statements.gen.ts';

/** Statements that give rows. */
export type ReadingName = keyof Reading;
/** Statements that give none. */
export type WritingName = keyof Writing;
interface Types extends Reading, Writing {}

/** A row as `Database.read` gives it. */
export type RowOf<Name extends ReadingName> = Json<Reading[Name]['row']>;
/** A row as `Database.readBinary` gives it. */
export type BinaryRowOf<Name extends ReadingName> = Binary<Reading[Name]['row']>;

/** Parameters by their names; of one statement of several: those of all. */
export type ParametersOf<Name extends keyof Types> = Every<Bound<Types[Name]['parameters']>>;
type Every<Each> = (Each extends unknown ? (each: Each) => void : never) extends (every: infer All) => void
  ? All
  : never;

/** What follows the name of a statement: its parameters, where it has some. */
export type Given<Name extends keyof Types> = [keyof ParametersOf<Name>] extends [never]
  ? []
  : [parameters: ParametersOf<Name>];

/** The same of one that gives rows, with the conditions that it is to have, where it has some. */
export type Asked<Name extends ReadingName> = Reading[Name] extends { readonly asks: infer Condition extends string }
  ? [...Given<Name>, asked: readonly Condition[]]
  : Given<Name>;
