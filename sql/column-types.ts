/** Types of ClickHouse columns: as read by `Database.read` (json) and `readBinary`, and as parameters (bound). */

interface Column<Json, Binary, Bound> {
  readonly json: Json;
  readonly binary: Binary;
  readonly bound: Bound;
}
type AnyColumn = Column<unknown, unknown, unknown>;

interface NoReader {
  readonly noReader: never;
}

type Small = Column<number, number, number>;
type Wide = Column<string, string, string | number | bigint>;

export type Float32 = Small;
export type Float64 = Small;
export type Int8 = Column<number, NoReader, number>;
export type Int32 = Small;
export type Int64 = Column<string, NoReader, string | number | bigint>;
export type Int256 = Wide;
export type UInt8 = Small;
export type UInt16 = Small;
export type UInt32 = Small;
export type UInt64 = Wide;
export type UInt256 = Wide;
/** ClickHouse type String. The name `String` would shadow the global type. */
export type Text = Column<string, string, string>;
export type FixedString = Text;
export type Identifier = Text;
export type DateTime = Column<string, number, never>;
export type DateTime64 = DateTime;
export type Enum<Name> = Column<Name, Name, never>;
export type Vector = Column<number[], Float32Array, readonly number[]>;
export type List<Item extends AnyColumn> = Column<Item['json'][], Item['binary'][], readonly Item['bound'][]>;
export type Nullable<Inner extends AnyColumn> = Column<Inner['json'] | null, Inner['binary'] | null, never>;

export type Json<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends AnyColumn ? Columns[Name]['json'] : never;
};
export type Binary<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends AnyColumn ? Columns[Name]['binary'] : never;
};
export type Bound<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends AnyColumn | undefined ? NonNullable<Columns[Name]>['bound'] : never;
};
