/**
 * Compares legacy tokens burned on other chains with the coins minted here in exchange.
 * @source docs/economy.md#supply-apiv1supply
 */
import type { OriginReading } from './origins.ts';

export interface OriginMints {
  readonly origin: string;
  readonly mints: number;
  readonly amount: bigint;
  readonly nullifiers: number;
  /** Block time of the newest mint, Unix ms. */
  readonly lastMs: number;
}

export interface RepeatedNullifier {
  readonly nullifier: string;
  readonly mints: number;
  /** Coins minted without a burn, wei. */
  readonly excess: bigint;
}

/**
 * holds: burned equals minted. burns_pending: burned exceeds minted. broken: minted exceeds burned, or one burn
 * (nullifier) was minted twice. unknown: no bridge is configured, a burned total could not be read, or it may lack
 * burns because it is older than a mint.
 */
type MigrationState = 'holds' | 'burns_pending' | 'broken' | 'unknown';

export interface Migration {
  /** Wei; null without a bridge. */
  readonly totalMigrated: bigint | null;
  /** On all other chains, wei; null if one amount is unknown. */
  readonly totalBurned: bigint | null;
  readonly invariantHolds: boolean | null;
  readonly state: MigrationState;
  readonly origins: readonly {
    readonly origin: string;
    readonly reading: OriginReading | undefined;
    readonly mints: number | null;
    readonly migrated: bigint | null;
    /** Burned minus minted, wei. */
    readonly difference: bigint | null;
  }[];
  readonly repeated: readonly RepeatedNullifier[];
  readonly alerts: readonly string[];
}

/** @param mints undefined: no bridge is configured */
export function reconcileMigration(
  mints: readonly OriginMints[] | undefined,
  readings: readonly OriginReading[],
  repeated: readonly RepeatedNullifier[],
): Migration {
  if (!mints) return toUnknown(readings);
  const known = readings.map((_, at) => String(at + 1));
  const others = mints.map(({ origin }) => origin).filter((origin) => !known.includes(origin));
  const origins = [...known, ...others].map((origin) => {
    const minted = mints.find((row) => row.origin === origin);
    const reading = readings[known.indexOf(origin)];
    const migrated = minted?.amount ?? 0n;
    const burned = reading ? burnedFor(reading, minted) : 0n; // unconfigured chains have no burns
    return {
      origin,
      reading,
      burned,
      mints: minted?.mints ?? 0,
      migrated,
      difference: burned === null ? null : burned - migrated,
    };
  });
  const totalMigrated = mints.reduce((sum, { amount }) => sum + amount, 0n);
  const totalBurned = origins.reduce<bigint | null>(
    (sum, { burned }) => (sum === null || burned === null ? null : sum + burned),
    0n,
  );
  const alerts = [
    ...origins.flatMap(({ origin, difference }) =>
      difference !== null && difference < 0n ? [`origin ${origin}: minted exceeds burned by ${-difference} wei`] : [],
    ),
    ...repeated.map(({ nullifier, mints: times }) => `nullifier ${nullifier} was minted ${times} times`),
  ];
  const isEqual = totalBurned === null ? null : totalBurned === totalMigrated;
  const invariantHolds = repeated.length > 0 ? false : isEqual;
  const state = alerts.length > 0 ? 'broken' : getState(invariantHolds);
  return { totalMigrated, totalBurned, invariantHolds, state, origins, repeated, alerts };
}

function toUnknown(readings: readonly OriginReading[]): Migration {
  const burned = readings.map((reading) => reading.burned);
  return {
    totalMigrated: null,
    totalBurned: burned.reduce<bigint | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0n),
    invariantHolds: null,
    state: 'unknown',
    origins: readings.map((reading, at) => ({
      origin: String(at + 1),
      reading,
      mints: null,
      migrated: null,
      difference: null,
    })),
    repeated: [],
    alerts: [],
  };
}

/** Returns null if the burned amount is below the minted amount, but was read before the newest mint. */
function burnedFor({ burned, asOfMs }: OriginReading, minted: OriginMints | undefined): bigint | null {
  if (burned === null || minted === undefined || burned >= minted.amount) return burned;
  return asOfMs !== null && asOfMs < minted.lastMs ? null : burned;
}

function getState(invariantHolds: boolean | null): MigrationState {
  if (invariantHolds === null) return 'unknown';
  return invariantHolds ? 'holds' : 'burns_pending';
}
