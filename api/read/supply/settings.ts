/** What the supply is worked out from. */
import type { EmissionSchedule } from './emission.ts';
import type { OriginSource } from './origins.ts';

export interface SupplySettings {
  readonly schedule: EmissionSchedule;
  /** Asymptotic supply as published, wei; never derived from the schedule, nor the other way. */
  readonly publishedMaximum: bigint;
  /** Unix seconds; absent: time of block 0. */
  readonly emissionStart: number | undefined;
  /** Emitter of RewardMinted; absent: rewards are known by the schedule alone. */
  readonly rewardContract: string | undefined;
  /** Method of the node that tells what was emitted; absent: it is not asked. */
  readonly emissionMethod: string | undefined;
  /** The base fee is destroyed. */
  readonly areFeesBurned: boolean;
  /** Migrated amounts come on top of the genesis supply. */
  readonly isMigratedOnTop: boolean;
  readonly excluded: readonly { readonly address: string; readonly reason: string }[];
  readonly bridge: string | undefined;
  /** Of origin chain 1 and 2. */
  readonly origins: readonly [OriginSource | undefined, OriginSource | undefined];
}
