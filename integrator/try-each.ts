/** Failures in a row after which the API fails, not single entries. */
const maxFailuresInRow = 3;

/**
 * Works on entries one after the other, also on those behind one that fails.
 * @param onFailure called for each failure before the last of several in a row
 * @throws the error of the entry with which three in a row have failed
 */
export async function tryEach<Entry>(
  entries: readonly Entry[],
  work: (entry: Entry) => Promise<void>,
  onFailure: (entry: Entry, error: unknown) => void,
): Promise<void> {
  let failuresInRow = 0;
  for (const entry of entries)
    try {
      await work(entry);
      failuresInRow = 0;
    } catch (error) {
      if (++failuresInRow >= maxFailuresInRow) throw error;
      onFailure(entry, error);
    }
}
