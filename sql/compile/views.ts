import { loadMigrations } from './migrations.ts';

export interface View {
  readonly target: string;
  readonly select: string;
}

/** Returns the newest materialized view per target table. */
export function loadViews(): ReadonlyMap<string, View> {
  const views = new Map<string, View>();
  for (const statement of loadMigrations().flatMap((migration) => migration.statements)) {
    const [, target, select] =
      /^(?:--.*\n|\s)*CREATE MATERIALIZED VIEW \w+ TO (\w+) AS\s+([\s\S]+)$/.exec(statement) ?? [];
    if (target && select) views.set(target, { target, select });
  }
  return views;
}
