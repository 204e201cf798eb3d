import type { Binary, Bound, Json } from './column-types.ts';
import type { Reading, Writing } from './statements.gen.ts';

export type ReadingName = keyof Reading;
export type WritingName = keyof Writing;
interface Types extends Reading, Writing {}

export type RowOf<Name extends ReadingName> = Json<Reading[Name]['row']>;
export type BinaryRowOf<Name extends ReadingName> = Binary<Reading[Name]['row']>;

export type ParametersOf<Name extends keyof Types> = Every<Bound<Types[Name]['parameters']>>;
type Every<Each> = (Each extends unknown ? (each: Each) => void : never) extends (every: infer All) => void
  ? All
  : never;

export type Given<Name extends keyof Types> = [keyof ParametersOf<Name>] extends [never]
  ? []
  : [parameters: ParametersOf<Name>];

export type Asked<Name extends ReadingName> = Reading[Name] extends { readonly asks: infer Condition extends string }
  ? [...Given<Name>, asked: readonly Condition[]]
  : Given<Name>;
