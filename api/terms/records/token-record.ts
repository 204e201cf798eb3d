/** A token with its figures, as of a state. */
import type { TokenStandard } from '#chain/codec/token-abi.ts';

export interface TokenRecord {
  address: string;
  standard: TokenStandard;
  name: string | null;
  symbol: string | null;
  decimals: number | null;
  supply: string | null;
  checked_block: string;
  transfer_count: string;
  first_block: string;
  first_seen: number;
  last_block: string;
  holders: string;
}
