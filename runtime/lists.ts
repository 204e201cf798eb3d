/** What lists lack. */
import { known } from './known.ts';

/** @throws Error where the list is empty */
export const firstOf = <T>(items: readonly T[]): T => known(items[0], 'the first of a list');

/** @throws Error where the list is empty */
export const lastOf = <T>(items: readonly T[]): T => known(items.at(-1), 'the last of a list');

/** Parts of at most `size` items each, in order; none of an empty list. */
export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

/** One item a key, where its first one stood; of several the last counts. */
export function distinctBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}

/** Items by key, in order. */
export function groupBy<T, K = string>(items: readonly T[], key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}
