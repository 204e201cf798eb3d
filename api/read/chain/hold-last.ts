import { type ChainState, repairedSince } from '#sql/snapshot.ts';

/**
 * Yields the last chunk of a reply only after `check`. If `check` throws, the client notices the truncated reply.
 * @throws what `check` throws
 */
export async function* holdLast<T>(chunks: AsyncIterable<T>, check: () => Promise<void>): AsyncGenerator<T> {
  let last: { readonly chunk: T } | undefined;
  for await (const chunk of chunks) {
    if (last) yield last.chunk;
    last = { chunk };
  }
  await check();
  if (last) yield last.chunk;
}

/** Asserts that the finalized rows up to `block` in `state` still exist in a later state. @throws Error */
export function assertRowsKept(state: ChainState, later: ChainState, block: number): void {
  const repaired = repairedSince(later, state.reorgGeneration);
  if ((repaired !== undefined && repaired <= block) || later.finalized < block)
    throw new Error('a reorg or repair replaced blocks of this reply');
}
