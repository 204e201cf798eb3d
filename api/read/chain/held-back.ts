/**
 * Passes on all chunks, the last one only if the check passes: a reply that failed must not look complete.
 * @param check runs after the last chunk was made; throws if the reply is wrong
 */
export async function* heldBack<T>(chunks: AsyncIterable<T>, check: () => Promise<void>): AsyncGenerator<T> {
  let last: { readonly chunk: T } | undefined;
  for await (const chunk of chunks) {
    if (last) yield last.chunk;
    last = { chunk };
  }
  await check();
  if (last) yield last.chunk;
}
