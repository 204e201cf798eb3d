import { zeroAddress } from '#chain/codec/hex.ts';
import type { TokenStandard } from '#chain/codec/token-abi.ts';

export interface Asset {
  /** Token contract; zeros for the native coin. */
  readonly address: string;
  readonly symbol: string;
  readonly name: string;
  /** Such as stablecoin or nft collection; empty if unknown. */
  readonly tokenClass: string;
  readonly decimals: number;
}

export interface TokenMetadata {
  readonly address: string;
  readonly standard: 'unknown' | TokenStandard;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
}

export function nativeAsset(symbol: string, name: string): Asset {
  return { address: zeroAddress, symbol, name, tokenClass: 'native coin', decimals: 18 };
}

/** @param nativeSymbol symbol of the native coin, to recognise its wrapped token */
export function tokenAsset(token: TokenMetadata, nativeSymbol: string): Asset {
  const [symbol, name] = [clean(token.symbol), clean(token.name)];
  const decimals = token.standard === 'erc20' ? (token.decimals ?? 0) : 0;
  return {
    address: token.address,
    symbol,
    name,
    decimals,
    tokenClass: guessClass(token.standard, symbol, name, nativeSymbol),
  };
}

/** Guesses a token's kind, for use as a search keyword only. */
function guessClass(standard: TokenMetadata['standard'], symbol: string, name: string, nativeSymbol: string): string {
  if (standard === 'erc721') return 'nft collection';
  if (standard === 'erc1155') return 'multi token';
  if (/https?:|www\.|\.(com|org|net|io|xyz|app|example)\b|\bclaim|\bvisit\b|airdrop/i.test(`${symbol} ${name}`))
    return 'unverified token';
  if (symbol === `W${nativeSymbol}`) return 'wrapped native';
  if (/^(USD[A-Z0-9]{0,2}|[A-Z]{0,2}USD[A-Z]?|DAI|FRAX|EUR[A-Z]|GUSD|TUSD)$/i.test(symbol)) return 'stablecoin';
  if (/governance|\bdao\b/i.test(name)) return 'governance token';
  if (/\blp\b|liquidity|pool share/i.test(name) || /-LP$|^UNI-V2$/i.test(symbol)) return 'lp token';
  return '';
}

const clean = (text: string | null) => (text ?? '').replace(/\p{C}/gu, ' ').trim().slice(0, 64);
