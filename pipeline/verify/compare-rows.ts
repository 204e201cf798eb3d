export type KeyedRow = { readonly key: string } & Readonly<Record<string, string>>;

type StoredRow = { readonly key: string } & Readonly<Record<string, string | null>>;

export interface Difference {
  readonly where: string;
  readonly key: string;
  readonly detail: string;
}

/** Compares rows by key. A duplicate key counts as a difference. */
export function compareRows(where: string, expected: readonly KeyedRow[], stored: readonly StoredRow[]): Difference[] {
  const differences: Difference[] = [];
  const remaining = new Map<string, StoredRow>();
  for (const row of stored) {
    if (remaining.has(row.key))
      differences.push({ where, key: row.key, detail: 'the row is stored twice with different content' });
    remaining.set(row.key, row);
  }
  for (const row of expected) {
    const other = remaining.get(row.key);
    remaining.delete(row.key);
    if (!other) {
      differences.push({ where, key: row.key, detail: 'the row is on the chain, but not stored' });
      continue;
    }
    for (const [field, value] of Object.entries(row)) {
      if (other[field] !== value)
        differences.push({
          where,
          key: row.key,
          detail: `${field} is ${value} on the chain, but ${other[field]} in the database`,
        });
    }
  }
  for (const key of remaining.keys())
    differences.push({ where, key, detail: 'the row is stored, but not on the chain' });
  return differences;
}
