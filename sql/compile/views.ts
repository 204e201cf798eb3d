/** Views: takes the migrations, gives the materialized views among them: how each derived table comes about from another. */
import { loadMigrations } from './migrations.ts';

export interface View {
  /** Table that it writes. */
  readonly target: string;
  /** SELECT that gives the rows of the target from all of its source. */
  readonly select: string;
}

/** Views by the table that they write; of several for one table the newest. */
export function loadViews(): ReadonlyMap<string, View> {
  const views = new Map<string, View>();
  for (const statement of loadMigrations().flatMap((migration) => migration.statements)) {
    const [, target, select] =
      /^(?:--.*\n|\s)*CREATE MATERIALIZED VIEW \w+ TO (\w+) AS\s+([\s\S]+)$/.exec(statement) ?? [];
    if (target && select) views.set(target, { target, select });
  }
  return views;
}
