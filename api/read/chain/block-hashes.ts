import { known } from '#runtime/known.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { StoreDeps } from '../reader-deps.ts';

/** Returns hashes of indexed blocks by number. @param blocks at most 10,001 */
export async function readBlockHashes(
  { database }: StoreDeps,
  state: ChainState,
  blocks: readonly number[],
): Promise<Map<number, string>> {
  const rows = await database.read('hashes_of_blocks', { ...snapshotParameters(state), blocks });
  return new Map(rows.map((row) => [Number(row.block_number), row.hash_hex]));
}

/** Returns a function that returns the hash of a row's block. @param rows rows that `state` shows */
export async function readHashesOfRows(
  deps: StoreDeps,
  state: ChainState,
  rows: readonly { readonly block_number: string }[],
): Promise<(row: { readonly block_number: string }) => string> {
  const blocks = [...new Set(rows.map((row) => Number(row.block_number)))];
  const hashes = blocks.length === 0 ? new Map<number, string>() : await readBlockHashes(deps, state, blocks);
  return (row) => known(hashes.get(Number(row.block_number)), 'the hash of a block');
}
