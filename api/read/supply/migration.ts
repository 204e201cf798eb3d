/** The migration from the legacy tokens: what was burned against what was minted. Pure. @source specification 1.7 */
import type { OriginReading } from './origins.ts';

/** Mints of one origin chain, by the bridge's events. */
export interface OriginMints {
  readonly origin: string;
  readonly mints: number;
  readonly amount: bigint;
  readonly nullifiers: number;
}

export interface RepeatedNullifier {
  readonly nullifier: string;
  readonly mints: number;
  /** Minted beyond the first, wei. */
  readonly excess: bigint;
}

/**
 * holds: burned and minted are equal. burns_pending: more was burned than is minted yet. broken: more was minted than was
 * burned, or a nullifier minted twice. unknown: a burned total could not be read, or there is no bridge.
 */
type MigrationState = 'holds' | 'burns_pending' | 'broken' | 'unknown';

export interface Migration {
  readonly totalMigrated: bigint;
  /** Null where a source is silent. */
  readonly totalBurned: bigint | null;
  /** burned(1) + burned(2) == totalMigrated; null where a source is silent. */
  readonly invariantHolds: boolean | null;
  readonly state: MigrationState;
  /** One a configured origin, and one for each other that the bridge names. */
  readonly origins: readonly {
    readonly origin: string;
    readonly reading: OriginReading | undefined;
    readonly mints: number;
    readonly migrated: bigint;
    /** Burned minus minted; null where the source is silent. */
    readonly difference: bigint | null;
  }[];
  readonly repeated: readonly RepeatedNullifier[];
  /** In words, each a fault that somebody must look at. */
  readonly alerts: readonly string[];
}

export function reconcileMigration(
  mints: readonly OriginMints[],
  readings: readonly OriginReading[],
  repeated: readonly RepeatedNullifier[],
): Migration {
  const known = readings.map((_, at) => String(at + 1));
  const others = mints.map(({ origin }) => origin).filter((origin) => !known.includes(origin));
  const origins = [...known, ...others].map((origin) => {
    const minted = mints.find((row) => row.origin === origin);
    const reading = readings[known.indexOf(origin)];
    const migrated = minted?.amount ?? 0n;
    const burned = reading ? reading.burned : 0n; // nothing can have been burned on a chain that is no origin
    return {
      origin,
      reading,
      mints: minted?.mints ?? 0,
      migrated,
      difference: burned === null ? null : burned - migrated,
    };
  });
  const totalMigrated = mints.reduce((sum, { amount }) => sum + amount, 0n);
  const totalBurned = readings.reduce<bigint | null>(
    (sum, { burned }) => (sum === null || burned === null ? null : sum + burned),
    0n,
  );
  const alerts = [
    ...origins.flatMap(({ origin, difference }) =>
      difference !== null && difference < 0n ? [`origin ${origin}: ${-difference} wei more minted than burned`] : [],
    ),
    ...repeated.map(({ nullifier, mints: times }) => `nullifier ${nullifier} minted ${times} times`),
  ];
  const invariantHolds = totalBurned === null ? null : totalBurned === totalMigrated;
  const state = alerts.length > 0 ? 'broken' : stateOf(invariantHolds);
  return { totalMigrated, totalBurned, invariantHolds, state, origins, repeated, alerts };
}

function stateOf(invariantHolds: boolean | null): MigrationState {
  if (invariantHolds === null) return 'unknown';
  return invariantHolds ? 'holds' : 'burns_pending';
}
