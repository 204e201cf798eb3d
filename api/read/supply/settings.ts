import type { EmissionSchedule } from './emission.ts';
import type { OriginSource } from './origins.ts';

export interface SupplySettings {
  readonly schedule: EmissionSchedule;
  /** Published maximum supply, wei; not derived from the emission schedule. */
  readonly publishedMaximum: bigint;
  /** Unix seconds; default: as genesisTime(). */
  readonly emissionStart: number | undefined;
  /**
   * Emits an event per block reward. Without it and `emissionMethod`, block rewards contain only fees, and the schedule
   * gives the emission.
   */
  readonly rewardContract: string | undefined;
  readonly emissionMethod: string | undefined;
  readonly areFeesBurned: boolean;
  /** Coins minted in exchange for legacy tokens: true: they add to the genesis supply; false: it includes them. */
  readonly isMigratedOnTop: boolean;
  readonly excluded: readonly { readonly address: string; readonly reason: string }[];
  readonly bridge: string | undefined;
  readonly origins: readonly [OriginSource | undefined, OriginSource | undefined];
}
