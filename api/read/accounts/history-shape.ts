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
  /** Bits of `roleMasks`. */
  readonly mask: number;
  /** Wei, decimal; undefined: any. */
  readonly minValue?: string | undefined;
  /** Starts of the traced ranges: when they change, prefetched rows are invalid. */
  readonly traced?: string;
}
