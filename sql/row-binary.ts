/**
 * Reads rows in ClickHouse's binary format. Hex and decimal conversions in SQL would take longer to plan than the
 * statement takes to run.
 * @source https://clickhouse.com/docs/interfaces/formats/RowBinaryWithNamesAndTypes
 */

type ReadValue = (source: Source) => unknown;

interface Source {
  readonly bytes: Buffer;
  at: number;
}

/**
 * Reads all rows. String and FixedString become 0x hex; integers up to 32 bits numbers, larger ones decimal strings;
 * DateTime Unix seconds, DateTime64(3) Unix milliseconds, an enum its name, Array(BFloat16) a Float32Array.
 * @throws Error for unsupported column types, or if the bytes end in the middle of a row
 */
export function readRowBinary<Row>(bytes: Buffer): Row[] {
  const source: Source = { bytes, at: 0 };
  if (bytes.length === 0) return [];
  const count = readVarint(source);
  const names = Array.from({ length: count }, () => readText(source));
  const columns = names.map((name) => ({ name, read: getReader(readText(source)) }));
  const rows: Row[] = [];
  while (source.at < bytes.length) {
    const row: Record<string, unknown> = {};
    for (const { name, read } of columns) row[name] = read(source);
    rows.push(row as Row);
  }
  if (source.at !== bytes.length) throw new Error('the reply of the database ends in the middle of a row');
  return rows;
}

const readers = new Map<string, ReadValue>();

function getReader(type: string): ReadValue {
  const known = readers.get(type);
  if (known) return known;
  const reader = makeReader(type);
  readers.set(type, reader);
  return reader;
}

function makeReader(type: string): ReadValue {
  const [, name = '', inner = ''] = /^(\w+)(?:\((.*)\))?$/s.exec(type) ?? [];
  const simple = simpleReaders[name];
  if (simple) return simple;
  if (name === 'FixedString') return hexReader(Number(inner));
  if (name === 'Nullable') return nullableReader(getReader(inner));
  if (name === 'Enum8') return enumReader(inner);
  if (name === 'LowCardinality') return getReader(inner);
  if (type === 'Array(BFloat16)') return readVector;
  if (name === 'Array') return arrayReader(getReader(inner));
  throw new Error(`no reader for column type ${type}`);
}

const simpleReaders: Readonly<Record<string, ReadValue>> = {
  UInt8: (source) => source.bytes[source.at++],
  UInt16: (source) => source.bytes.readUInt16LE(advance(source, 2)),
  UInt32: (source) => source.bytes.readUInt32LE(advance(source, 4)),
  UInt64: readUInt64,
  UInt256: readUInt256,
  Int256: (source) => String(BigInt.asIntN(256, BigInt(readUInt256(source)))),
  Int32: (source) => source.bytes.readInt32LE(advance(source, 4)),
  Float32: (source) => source.bytes.readFloatLE(advance(source, 4)),
  Float64: (source) => source.bytes.readDoubleLE(advance(source, 8)),
  DateTime: (source) => source.bytes.readUInt32LE(advance(source, 4)),
  DateTime64: readMilliseconds,
  String: (source) => {
    const length = readVarint(source);
    return readHex(source, length);
  },
};

function advance(source: Source, size: number): number {
  const start = source.at;
  source.at += size;
  return start;
}

function readUInt64(source: Source): string {
  const at = advance(source, 8);
  const high = source.bytes.readUInt32LE(at + 4);
  const low = source.bytes.readUInt32LE(at);
  return high < 2 ** 21 ? String(high * 2 ** 32 + low) : String((BigInt(high) << 32n) | BigInt(low));
}

function readMilliseconds(source: Source): number {
  return Number(source.bytes.readBigInt64LE(advance(source, 8)));
}

function readUInt256(source: Source): string {
  const at = advance(source, 32);
  const { bytes } = source;
  const low = bytes.readBigUInt64LE(at);
  const high =
    (bytes.readBigUInt64LE(at + 24) << 128n) | (bytes.readBigUInt64LE(at + 16) << 64n) | bytes.readBigUInt64LE(at + 8);
  return String(high === 0n ? low : (high << 64n) | low);
}

function hexReader(size: number): ReadValue {
  return (source) => readHex(source, size);
}

function readHex(source: Source, size: number): string {
  const at = advance(source, size);
  return `0x${source.bytes.toString('hex', at, at + size)}`;
}

function nullableReader(inner: ReadValue): ReadValue {
  return (source) => (source.bytes[source.at++] === 1 ? null : inner(source));
}

function arrayReader(inner: ReadValue): ReadValue {
  return (source) => Array.from({ length: readVarint(source) }, () => inner(source));
}

/** A BFloat16 is the upper half of a 32-bit float. */
function readVector(source: Source): Float32Array {
  const length = readVarint(source);
  const at = advance(source, 2 * length);
  const bits = new Uint32Array(length);
  for (let i = 0; i < length; i++) bits[i] = source.bytes.readUInt16LE(at + 2 * i) << 16;
  return new Float32Array(bits.buffer);
}

function enumReader(inner: string): ReadValue {
  const names = new Map(
    [...inner.matchAll(/'((?:[^'\\]|\\.)*)' = (-?\d+)/g)].map(([, name, value]) => [Number(value), name]),
  );
  return (source) => names.get(source.bytes.readInt8(source.at++));
}

function readText(source: Source): string {
  const length = readVarint(source);
  const at = advance(source, length);
  return source.bytes.toString('utf8', at, at + length);
}

function readVarint(source: Source): number {
  let [value, scale] = [0, 1];
  for (;;) {
    const byte = source.bytes[source.at++];
    if (byte === undefined) throw new Error('the reply of the database ends in the middle of a value');
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value;
    scale *= 128;
  }
}
