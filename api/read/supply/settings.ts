import type { EmissionSchedule } from './emission.ts';
import type { OriginSource } from './origins.ts';

export interface SupplySettings {
  readonly schedule: EmissionSchedule;
  /** Published maximum supply in wei, independent of the schedule. */
  readonly publishedMaximum: bigint;
  /** Start of the emission, Unix seconds; default: time of block 0. */
  readonly emissionStart: number | undefined;
  /** Contract that emits RewardMinted events; unset: only fees count as rewards. */
  readonly rewardContract: string | undefined;
  /** RPC method of the node that returns the total emission; unset: no node is asked. */
  readonly emissionMethod: string | undefined;
  readonly areFeesBurned: boolean;
  /** True if migrated amounts increase the genesis supply. */
  readonly isMigratedOnTop: boolean;
  readonly excluded: readonly { readonly address: string; readonly reason: string }[];
  readonly bridge: string | undefined;
  /** Sources of the burned totals of legacy chains 1 and 2. */
  readonly origins: readonly [OriginSource | undefined, OriginSource | undefined];
}
