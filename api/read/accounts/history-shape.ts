/** Filters of an account's history. */
import type { SortOrder } from '../chain/paging.ts';

export const roleMasks = { from: 1, to: 2, log: 4, internal: 8 } as const;
/** Roles stored in address_roles. */
export const namedRoles = 7;
export const allRoles = 15;

export interface HistoryShape {
  readonly address: string;
  /** Both inclusive. */
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly order: SortOrder;
  /** Selected roles, bits of `roleMasks`. */
  readonly mask: number;
  /** Minimum value, wei, decimal; undefined: any. */
  readonly minValue?: string | undefined;
  /** Starts of the traced ranges: prefetched rows are valid while these don't change. */
  readonly traced?: string;
}
