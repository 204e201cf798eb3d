import { known } from './known.ts';

export const getFirst = <T>(items: readonly T[]): T => known(items[0], 'the first item of a list');

export const getLast = <T>(items: readonly T[]): T => known(items.at(-1), 'the last item of a list');

export function splitIntoChunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

/** Returns the last item of each key, in the order in which keys first occur. */
export function distinctBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}

export function groupBy<T, K = string>(items: readonly T[], key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}
