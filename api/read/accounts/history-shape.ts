import type { SortOrder } from '../chain/paging.ts';

export const roleMasks = { from: 1, to: 2, log: 4, internal: 8 } as const;
/** Roles of an address that the table address_roles stores, as bits of `roleMasks`. */
export const namedRoles = 7;
export const allRoles = 15;

export interface HistoryShape {
  readonly address: string;
  /** The block range includes both ends. */
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly order: SortOrder;
  /** Roles of the account in a transaction, as bits of `roleMasks`. */
  readonly mask: number;
  /** Minimum value of a transaction in wei, decimal; undefined: any value. */
  readonly minValue?: string | undefined;
  /** First block of each range with indexed internal calls. When these ranges change, prefetched rows are invalid. */
  readonly traced?: string;
}
