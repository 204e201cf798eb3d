/** About how much memory a value takes. */

/** Elements of a long list that are looked at. */
const sampled = 32;
/** Of an object, a list or a map beside what is in it. */
const headBytes = 48;
/** Of an entry in an object or a map. */
const entryBytes = 16;

/** @returns bytes, from samples where a list or a map is long; what occurs twice counts twice */
export function roughBytes(value: unknown, depth = 8): number {
  if (typeof value === 'string') return 24 + value.length;
  if (typeof value === 'bigint') return 32;
  if (typeof value !== 'object' || value === null) return 8;
  if (ArrayBuffer.isView(value)) return headBytes + value.byteLength;
  if (depth === 0) return headBytes;
  const inside = (items: Iterable<unknown>, count: number) =>
    headBytes + meanOf(items, count, depth) * count + entryBytes * count;
  if (Array.isArray(value)) return inside(value, value.length);
  if (value instanceof Map) return inside(value, value.size);
  if (value instanceof Set) return inside(value, value.size);
  const values = Object.values(value);
  return headBytes + values.reduce<number>((sum, each) => sum + entryBytes + roughBytes(each, depth - 1), 0);
}

/** Of every so manieth element. */
function meanOf(items: Iterable<unknown>, count: number, depth: number): number {
  const step = Math.max(1, Math.floor(count / sampled));
  let [sum, seen, at] = [0, 0, 0];
  for (const item of items) if (at++ % step === 0) [sum, seen] = [sum + roughBytes(item, depth - 1), seen + 1];
  return seen === 0 ? 0 : sum / seen;
}
