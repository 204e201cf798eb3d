/** After this many failures in a row, the API itself seems to fail, not single entries. */
const maxFailuresInRow = 3;

/**
 * A failed entry does not stop the next ones.
 * @param onFailure called for each failure except the third in a row
 * @throws the error of the third failure in a row
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
