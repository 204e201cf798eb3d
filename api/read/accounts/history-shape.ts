import type { SortOrder } from '../chain/paging.ts';

export const roleMasks = { from: 1, to: 2, log: 4, internal: 8 } as const;
/** Bits of the roles that the table address_roles stores. */
export const namedRoles = 7;
export const allRoles = 15;

export interface HistoryShape {
  readonly address: string;
  /** First and last block, both inclusive. */
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly order: SortOrder;
  readonly mask: number;
  /** Minimum value of a transaction, wei. */
  readonly minValue?: string | undefined;
  /** Selector of the called method, 8 hex digits. */
  readonly method?: string | undefined;
  /** Sender or recipient of the transaction. */
  readonly counterparty?: string | undefined;
  /** Finalized traced block ranges, such as `0-99,200-300`; part of cache keys. */
  readonly traced?: string;
}
