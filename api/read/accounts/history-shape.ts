/** What of an account's history is asked for. */
import type { SortOrder } from '../chain/paging.ts';

export const roleMasks = { from: 1, to: 2, log: 4, internal: 8 } as const;
/** Roles that address_roles knows. */
export const namedRoles = 7;
export const allRoles = 15;

export interface HistoryShape {
  readonly address: string;
  /** Both inclusive. */
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly order: SortOrder;
  /** Roles that count, as bits of `roleMasks`. */
  readonly mask: number;
  /** Least value, wei, decimal; undefined: any. */
  readonly minValue?: string | undefined;
  /** Where the traced ranges begin: rows that were read ahead hold while these stay. */
  readonly traced?: string;
}
