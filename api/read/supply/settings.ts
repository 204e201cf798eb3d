import type { EmissionSchedule } from './emission.ts';
import type { OriginSource } from './origins.ts';

export interface SupplySettings {
  readonly schedule: EmissionSchedule;
  /** Wei; independent of the schedule. */
  readonly publishedMaximum: bigint;
  /** Unix seconds; default: time of block 0. */
  readonly emissionStart: number | undefined;
  /** Emits RewardMinted; unset: only fees count as rewards. */
  readonly rewardContract: string | undefined;
  /** Unset: not used. */
  readonly emissionMethod: string | undefined;
  readonly areFeesBurned: boolean;
  /** Migrated amounts are added to the genesis supply. */
  readonly isMigratedOnTop: boolean;
  readonly excluded: readonly { readonly address: string; readonly reason: string }[];
  readonly bridge: string | undefined;
  /** Origin chains 1 and 2. */
  readonly origins: readonly [OriginSource | undefined, OriginSource | undefined];
}
