import type { EmissionSchedule } from './emission.ts';
import type { OriginSource } from './origins.ts';

export interface SupplySettings {
  readonly schedule: EmissionSchedule;
  /** Published maximum supply in wei, not derived from the emission schedule. */
  readonly publishedMaximum: bigint;
  /** Start of the emission, Unix seconds; default: time of block 0, or of block 1 if that is 0. */
  readonly emissionStart: number | undefined;
  /** Emits an event per block reward. Without it and `emissionMethod`, only fees count as rewards. */
  readonly rewardContract: string | undefined;
  readonly emissionMethod: string | undefined;
  readonly areFeesBurned: boolean;
  /**
   * Coins minted in exchange for legacy tokens of other chains. True: they add to the genesis supply; false: the
   * genesis supply includes them.
   */
  readonly isMigratedOnTop: boolean;
  readonly excluded: readonly { readonly address: string; readonly reason: string }[];
  readonly bridge: string | undefined;
  readonly origins: readonly [OriginSource | undefined, OriginSource | undefined];
}
