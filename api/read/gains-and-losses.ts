/** Row of a statement about changes. Every row repeats the counts of all gains and all losses. */
interface ChangeRow {
  readonly gained: number;
  readonly gained_count: string | number;
  readonly lost_count: string | number;
}

export interface GainsAndLosses<T> {
  /** Largest change first. */
  readonly gained: T[];
  readonly lost: T[];
  /** Including unlisted gains and losses. */
  readonly counts: { readonly gained: number; readonly lost: number };
}

/** @param show converts a row to a list item */
export function splitChanges<Row extends ChangeRow, T>(rows: readonly Row[], show: (row: Row) => T): GainsAndLosses<T> {
  const [first] = rows;
  return {
    gained: rows.filter(({ gained }) => gained === 1).map(show),
    lost: rows.filter(({ gained }) => gained !== 1).map(show),
    counts: { gained: Number(first?.gained_count ?? 0), lost: Number(first?.lost_count ?? 0) },
  };
}
