const maxSamples = 32;
const headBytes = 48;
const entryBytes = 16;

/** Estimates the size of a value in memory. Counts a shared object each time. */
export function roughBytes(value: unknown, depth = 8): number {
  if (typeof value === 'string') return 24 + value.length;
  if (typeof value === 'bigint') return 32;
  if (typeof value !== 'object' || value === null) return 8;
  if (ArrayBuffer.isView(value)) return headBytes + value.byteLength;
  if (depth === 0) return headBytes;
  const inside = (items: Iterable<unknown>, count: number) =>
    headBytes + meanBytes(items, count, depth) * count + entryBytes * count;
  if (Array.isArray(value)) return inside(value, value.length);
  if (value instanceof Map) return inside(value, value.size);
  if (value instanceof Set) return inside(value, value.size);
  const values = Object.values(value);
  return headBytes + values.reduce<number>((sum, each) => sum + entryBytes + roughBytes(each, depth - 1), 0);
}

function meanBytes(items: Iterable<unknown>, count: number, depth: number): number {
  const step = Math.max(1, Math.floor(count / maxSamples));
  let [sum, seen, at] = [0, 0, 0];
  for (const item of items) if (at++ % step === 0) [sum, seen] = [sum + roughBytes(item, depth - 1), seen + 1];
  return seen === 0 ? 0 : sum / seen;
}
