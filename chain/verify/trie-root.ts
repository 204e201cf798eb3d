import { encodeRlp, type RlpStructuredData } from 'ethers';
import { getFirst, getLast } from '#runtime/lists.ts';
import { encodeIndex } from '../codec/rlp-fields.ts';
import { keccak256Hex } from './keccak.ts';

/** Trie item. Its key has one hex digit per nibble. */
type Item = readonly [nibbles: string, value: string];

/**
 * Returns the root hash of the Merkle Patricia trie that maps rlp(index) to each value.
 * @source Ethereum yellow paper, appendix D
 */
export function orderedTrieRoot(values: readonly string[]): string {
  if (values.length === 0) return keccak256Hex('0x80');
  const items = values.map((value, index): Item => [encodeIndex(index).slice(2), value]);
  return keccak256Hex(
    encodeRlp(
      node(
        items.sort(([a], [b]) => (a < b ? -1 : 1)),
        0,
      ),
    ),
  );
}

function node(items: readonly Item[], depth: number): RlpStructuredData {
  const first = getFirst(items);
  if (items.length === 1) return [compact(first[0].slice(depth), true), first[1]];
  const shared = sharedLength(first[0], getLast(items)[0], depth);
  if (shared > 0)
    return [compact(first[0].slice(depth, depth + shared), false), reference(node(items, depth + shared))];
  const branch: RlpStructuredData[] = [];
  for (let digit = 0; digit < 16; digit++) {
    const below = items.filter(([key]) => Number.parseInt(key[depth] ?? 'x', 16) === digit);
    branch.push(below.length === 0 ? '0x' : reference(node(below, depth + 1)));
  }
  branch.push(items.find(([key]) => key.length === depth)?.[1] ?? '0x');
  return branch;
}

function reference(child: RlpStructuredData): RlpStructuredData {
  const encoded = encodeRlp(child);
  return encoded.length >= 66 ? keccak256Hex(encoded) : child;
}

function compact(nibbles: string, isLeaf: boolean): string {
  const flag = (isLeaf ? 2 : 0) + (nibbles.length % 2);
  return `0x${flag.toString(16)}${nibbles.length % 2 ? '' : '0'}${nibbles}`;
}

function sharedLength(first: string, last: string, depth: number): number {
  let length = 0;
  while (depth + length < first.length && first[depth + length] === last[depth + length]) length++;
  return length;
}
