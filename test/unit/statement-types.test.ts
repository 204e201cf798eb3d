import test from 'ava';
import { query, queryAsync } from 'chdb';
import type { Database } from '#sql/client.ts';
import type {
  Binary,
  DateTime,
  DateTime64,
  Enum,
  FixedString,
  Float32,
  Float64,
  Int32,
  Int256,
  Json,
  List,
  Nullable,
  Text,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  UInt256,
  Vector,
} from '#sql/column-types.ts';
import { readRowBinary } from '#sql/row-binary.ts';

interface Columns {
  a: UInt8;
  b: UInt16;
  c: UInt32;
  d: UInt64;
  e: UInt256;
  f: Int32;
  g: Int256;
  h: Float32;
  i: Float64;
  j: Text;
  k: FixedString;
  l: DateTime;
  m: DateTime64;
  n: Enum<'in' | 'out'>;
  o: List<UInt64>;
  p: Nullable<Text>;
  q: Nullable<UInt64>;
  r: Vector;
}

const select = `SELECT 200::UInt8 AS a, 60000::UInt16 AS b, 4000000000::UInt32 AS c, 18446744073709551615::UInt64 AS d,
  toUInt256('36893488147419103232') AS e, -7::Int32 AS f, toInt256('-36893488147419103232') AS g, 0.5::Float32 AS h,
  0.25::Float64 AS i, 'ab'::LowCardinality(String) AS j, 'ab'::FixedString(2) AS k, toDateTime(86400, 'UTC') AS l,
  toDateTime64('1970-01-02 00:00:00.5', 3, 'UTC') AS m, CAST('in', 'Enum8(\\'out\\' = 1, \\'in\\' = 2)') AS n,
  [1, 2]::Array(UInt64) AS o, NULL::Nullable(String) AS p, 5::Nullable(UInt64) AS q, [0.5, 2]::Array(BFloat16) AS r`;

type Common = 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'n' | 'o' | 'p' | 'q';
/** Columns that `read` and `readBinary` return in the same form. */
const common: Json<Pick<Columns, Common>> & Binary<Pick<Columns, Common>> = {
  a: 200,
  b: 60_000,
  c: 4_000_000_000,
  d: '18446744073709551615',
  e: '36893488147419103232',
  f: -7,
  g: '-36893488147419103232',
  h: 0.5,
  i: 0.25,
  n: 'in',
  o: ['1', '2'],
  p: null,
  q: '5',
};

test('`read` returns columns as their types declare', (t) => {
  const settings = 'SETTINGS output_format_json_quote_64bit_integers = 1';
  const [l, m] = ['1970-01-02 00:00:00', '1970-01-02 00:00:00.500'];
  const expected: Json<Columns> = { ...common, j: 'ab', k: 'ab', l, m, r: [0.5, 2] };
  t.deepEqual(JSON.parse(query(`${select} ${settings}`, 'JSONEachRow')), expected);
});

test('`readBinary` returns columns as their types declare', async (t) => {
  const rows = async (sql: string) =>
    readRowBinary(Buffer.from((await queryAsync(sql, { format: 'RowBinaryWithNamesAndTypes' })).bytes()));
  const [l, m] = [86_400, 86_400_500];
  const expected: Binary<Columns> = { ...common, j: '0x6162', k: '0x6162', l, m, r: new Float32Array([0.5, 2]) };
  t.deepEqual(await rows(select), [expected]);
  for (const type of ['Int8', 'Int64']) await t.throwsAsync(rows(`SELECT 1::${type}`), { message: /no reader/ });
});

test('invalid use of a statement does not compile', (t) => {
  const wrong = async (database: Database) => {
    // @ts-expect-error: unknown statement
    await database.read('block_tim', {});
    // @ts-expect-error: missing parameter
    await database.read('job_mark', {});
    // @ts-expect-error: parameter of another type
    await database.read('job_mark', { job: 1 });
    // @ts-expect-error: parameter with another name
    await database.read('job_mark', { job: 'x', jobs: 'x' });
    // @ts-expect-error: returns no rows
    await database.read('keep_finalized_orphans', { above: 1 });
    // @ts-expect-error: returns rows
    await database.execute('job_mark', { job: 'x' });
    // @ts-expect-error: unknown condition
    await database.readBinary('places_of_hashes', { prefix: '', prefixes: [] }, ['none']);
    // @ts-expect-error: missing conditions
    await database.readBinary('places_of_hashes', { prefix: '', prefixes: [] });
    const [row] = await database.read('job_mark', { job: 'x' });
    // @ts-expect-error: unknown column
    t.log(row?.nothing);
    const [set] = await database.readBinary('address_set', { id: 'x' });
    // @ts-expect-error: a type without a reader has no value
    const created: string | number | undefined = set?.created_ms;
    return created;
  };
  t.is(typeof wrong, 'function');
});
