/**
 * Writes rows in ClickHouse's binary format, directly from JSON-RPC's hex text. Checks all hex digits.
 * @source https://clickhouse.com/docs/interfaces/formats/RowBinary
 */

const digits = new DataView(new Uint8Array(65_536).fill(0xff).buffer);
for (let i = 0; i < 16; i++) {
  digits.setUint8('0123456789abcdef'.charCodeAt(i), i);
  digits.setUint8('0123456789ABCDEF'.charCodeAt(i), i);
}
const digitAt = (hex: string, index: number) => digits.getUint8(hex.charCodeAt(index));

export class EncodeError extends Error {
  override readonly name = 'EncodeError';
}

export class RowWriter {
  #appended: Buffer[] = [];
  #appendedBytes = 0;
  #buffer: Buffer;
  #at = 0;
  rows = 0;

  constructor(initialBytes = 1 << 16) {
    this.#buffer = Buffer.allocUnsafe(initialBytes);
  }

  /** Returns a writer with encoded rows, without copying them. */
  static from(bytes: Uint8Array, rows: number): RowWriter {
    const writer = new RowWriter(0);
    writer.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    writer.#at = bytes.byteLength;
    writer.rows = rows;
    return writer;
  }

  get bytes(): number {
    return this.#appendedBytes + this.#at;
  }

  /** Written bytes in consecutive buffers, valid until the next write. */
  get chunks(): Buffer[] {
    const own = this.#buffer.subarray(0, this.#at);
    return own.length > 0 ? [...this.#appended, own] : this.#appended;
  }

  view(): Buffer {
    return this.#appended.length === 0 ? this.#buffer.subarray(0, this.#at) : Buffer.concat(this.chunks);
  }

  endRow(): void {
    this.rows++;
  }

  /** Position of the next byte, for `repeat`; valid until `append`. */
  get position(): number {
    return this.#at;
  }

  /** Writes the bytes between two earlier positions again. */
  repeat(from: number, to: number): void {
    this.#reserve(to - from);
    this.#buffer.copyWithin(this.#at, from, to);
    this.#at += to - from;
  }

  /** Adds the rows of another writer without copying. Do not use the other writer afterwards. */
  append(other: RowWriter): void {
    this.#appended = [...this.chunks, ...other.chunks];
    this.#appendedBytes += this.#at + other.bytes;
    this.#buffer = this.#buffer.subarray(this.#at);
    this.#at = 0;
    this.rows += other.rows;
  }

  uint8(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#at++] = value;
  }

  uint16(value: number): void {
    this.#reserve(2);
    this.#at = this.#buffer.writeUInt16LE(Math.min(value, 65_535), this.#at);
  }

  uint32(value: number): void {
    this.#reserve(4);
    this.#at = this.#buffer.writeUInt32LE(value, this.#at);
  }

  int32(value: number): void {
    this.#reserve(4);
    this.#at = this.#buffer.writeInt32LE(value, this.#at);
  }

  float64(value: number): void {
    this.#reserve(8);
    this.#at = this.#buffer.writeDoubleLE(value, this.#at);
  }

  bfloat16Array(items: Float32Array): void {
    this.#varint(items.length);
    this.#reserve(2 * items.length);
    const bits = new Uint32Array(items.buffer, items.byteOffset, items.length);
    for (const value of bits) this.#at = this.#buffer.writeUInt16LE(((value + 0x8000) >>> 16) & 0xffff, this.#at);
  }

  /** Writes an integer as UInt64. @param value a number up to 2^53 - 1, or a bigint up to 2^64 - 1 */
  uint64(value: number | bigint): void {
    this.#reserve(8);
    if (typeof value === 'bigint') {
      this.#at = this.#buffer.writeBigUInt64LE(value, this.#at);
      return;
    }
    this.#buffer.writeUInt32LE(value >>> 0, this.#at);
    this.#buffer.writeUInt32LE(Math.floor(value / 4_294_967_296), this.#at + 4);
    this.#at += 8;
  }

  /** Writes a hex quantity as UInt64. @throws EncodeError above 2^64 - 1 */
  quantity64(hex: string): void {
    this.#littleEndian(hex, 8);
  }

  quantity256(hex: string): void {
    this.#littleEndian(hex, 32);
  }

  uint256(value: bigint): void {
    if (value >= 0n && value <= 0xffff_ffff_ffff_ffffn) {
      this.#reserve(32);
      this.#buffer.writeBigUInt64LE(value, this.#at);
      this.#buffer.fill(0, this.#at + 8, this.#at + 32);
      this.#at += 32;
    } else this.#littleEndian(`0x${value.toString(16)}`, 32);
  }

  fixed(hex: string, length: number): void {
    if (hex.length !== 2 + 2 * length) throw new EncodeError(`${hex.slice(0, 80)} must be hex of ${length} bytes`);
    this.#reserve(length);
    this.#hex(hex, length);
  }

  zeros(length: number): void {
    this.#reserve(length);
    this.#buffer.fill(0, this.#at, this.#at + length);
    this.#at += length;
  }

  isNull(value: boolean): void {
    this.uint8(value ? 1 : 0);
  }

  text(value: string): void {
    this.data(`0x${Buffer.from(value).toString('hex')}`);
  }

  /** Writes a String of at most `maxBytes`. */
  data(hex: string, maxBytes = Number.POSITIVE_INFINITY): void {
    const length = Math.min((hex.length - 2) >> 1, maxBytes);
    this.#varint(length);
    this.#reserve(length);
    if (length > 128) {
      // Buffer.write is faster for long data, and stops at the first invalid digit
      const written = this.#buffer.write(
        length * 2 === hex.length - 2 ? hex.slice(2) : hex.slice(2, 2 + 2 * length),
        this.#at,
        'hex',
      );
      if (written !== length) throw new EncodeError(`data has an invalid hex digit at byte ${written}`);
      this.#at += length;
    } else this.#hex(hex, length);
  }

  fixedArray(items: readonly string[], length: number): void {
    this.#varint(items.length);
    for (const item of items) this.fixed(item, length);
  }

  uint8Array(items: readonly number[]): void {
    this.#varint(items.length);
    for (const item of items) this.uint8(item);
  }

  uint256Array(items: readonly bigint[]): void {
    this.#varint(items.length);
    for (const item of items) this.uint256(item);
  }

  uint64Array(items: readonly number[]): void {
    this.#varint(items.length);
    for (const item of items) this.uint64(item);
  }

  #hex(hex: string, length: number): void {
    const buffer = this.#buffer;
    let at = this.#at;
    let seen = 0;
    for (let i = 2, end = 2 + 2 * length; i < end; i += 2) {
      const high = digitAt(hex, i);
      const low = digitAt(hex, i + 1);
      seen |= high | low;
      buffer[at++] = (high << 4) | low;
    }
    if (seen > 15) throw new EncodeError(`${hex.slice(0, 80)} has an invalid hex digit`);
    this.#at = at;
  }

  #littleEndian(hex: string, length: number): void {
    this.#reserve(length);
    const buffer = this.#buffer;
    const start = this.#at;
    const end = start + length;
    let at = start;
    let seen = 0;
    let i = hex.length - 1;
    while (i >= 2 && at < end) {
      const low = digitAt(hex, i);
      const high = i > 2 ? digitAt(hex, i - 1) : 0;
      seen |= high | low;
      buffer[at++] = (high << 4) | low;
      i -= 2;
    }
    for (; i >= 2; i--)
      if (hex.charCodeAt(i) !== 48) throw new EncodeError(`${hex.slice(0, 80)} exceeds ${length} bytes`);
    if (seen > 15 || hex.length < 3) throw new EncodeError(`${hex.slice(0, 80)} is not a hex quantity`);
    if (at < end) buffer.fill(0, at, end);
    this.#at = end;
  }

  #varint(value: number): void {
    this.#reserve(5);
    let rest = value;
    while (rest >= 128) {
      this.#buffer[this.#at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#buffer[this.#at++] = rest;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#at + bytes, 1024));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}
