/**
 * Decodes token metadata. Contracts may return anything, so invalid values become null.
 * @source EIP-20, EIP-721, EIP-1155, EIP-165
 */
import { AbiCoder, Interface, id } from 'ethers';

export const tokenStandards = ['erc20', 'erc721', 'erc1155'] as const;
export type TokenStandard = (typeof tokenStandards)[number];
/** Returns the number of a standard in database tables: 1 ERC-20, 2 ERC-721, 3 ERC-1155. */
export const standardCode = (standard: TokenStandard) => tokenStandards.indexOf(standard) + 1;

const selector = (signature: string) => id(signature).slice(0, 10);
const erc165 = (interfaceId: string) => `${selector('supportsInterface(bytes4)')}${interfaceId.padEnd(64, '0')}`;

export const tokenQuestions = {
  name: selector('name()'),
  symbol: selector('symbol()'),
  decimals: selector('decimals()'),
  totalSupply: selector('totalSupply()'),
  isErc165: erc165('01ffc9a7'),
  isAnything: erc165('ffffffff'),
  isErc721: erc165('80ac58cd'),
  isErc1155: erc165('d9b67a26'),
} as const;

export type TokenQuestion = keyof typeof tokenQuestions;

export const maxTextBytes = 256;

/** Decodes a token's name or symbol, of ABI type `string` or `bytes32`. */
export function decodeText(reply: string | null): string | null {
  const bytes = reply === null ? null : textBytes(reply);
  if (!bytes || bytes.length > maxTextBytes) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const clean = cleanText(text);
    return clean === '' ? null : clean;
  } catch {
    return null;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const invisible = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Removes invisible characters, characters that change the text direction, and outer white space. */
export const cleanText = (text: string): string => text.replace(invisible, '').trim();

/** Decodes a 32-byte number. Returns null for another length or a number above `max`. */
export function decodeUint(reply: string | null, max: bigint): bigint | null {
  if (reply === null || !/^0x[0-9a-fA-F]{64}$/.test(reply)) return null;
  const value = BigInt(reply);
  return value <= max ? value : null;
}

/** Decodes a bool. Invalid replies count as false. */
export function decodeBool(reply: string | null): boolean {
  return decodeUint(reply, 1n) === 1n;
}

type StandardReplies = Readonly<Record<'isErc165' | 'isAnything' | 'isErc721' | 'isErc1155', string | null>>;

/**
 * Decodes which NFT standard a contract declares; undefined if none. Ignores contracts that answer true to every
 * question, such as those with a fallback function.
 * @source EIP-165, "How to Detect if a Contract Implements ERC-165"
 */
export function decodeStandard(replies: StandardReplies): TokenStandard | undefined {
  if (!decodeBool(replies.isErc165) || decodeBool(replies.isAnything)) return undefined;
  if (decodeBool(replies.isErc1155)) return 'erc1155';
  return decodeBool(replies.isErc721) ? 'erc721' : undefined;
}

function textBytes(reply: string): Buffer | null {
  if (!/^0x(?:[0-9a-fA-F]{2})+$/.test(reply)) return null;
  if (reply.length === 66) {
    const word = Buffer.from(reply.slice(2), 'hex');
    const end = word.indexOf(0);
    return word.subarray(0, end === -1 ? 32 : end);
  }
  if (reply.length > 2 + 2 * (maxTextBytes + 96)) return null;
  try {
    const [data] = AbiCoder.defaultAbiCoder().decode(['bytes'], reply) as unknown as [string];
    return Buffer.from(data.slice(2), 'hex');
  } catch {
    return null; // the offset or length points outside the reply
  }
}

const uriFunctions = { erc721: id('tokenURI(uint256)').slice(0, 10), erc1155: id('uri(uint256)').slice(0, 10) };

/** Encodes the call that reads a token's metadata URI. @source ERC-721, ERC-1155 (metadata extensions) */
export const uriQuestion = (standard: keyof typeof uriFunctions, tokenId: string): string =>
  uriFunctions[standard] + BigInt(tokenId).toString(16).padStart(64, '0');

const holdings = new Interface([
  'function balanceOf(address) view returns (uint256)',
  'function ownerOf(uint256) view returns (address)',
  'function balanceOf(address, uint256) view returns (uint256)',
]);

/**
 * Encodes the call that reads an account's balance, or the owner of an ERC-721 token.
 * @param tokenId decimal; ignored for ERC-20
 * @source ERC-20 balanceOf, ERC-721 ownerOf, ERC-1155 balanceOf
 */
export function balanceQuestion(standard: string, account: string, tokenId = '0'): string {
  if (standard === 'erc721') return holdings.encodeFunctionData('ownerOf', [tokenId]);
  return standard === 'erc1155'
    ? holdings.encodeFunctionData('balanceOf(address,uint256)', [account, tokenId])
    : holdings.encodeFunctionData('balanceOf(address)', [account]);
}

export function decodeString(reply: string): string | null {
  try {
    const [text] = AbiCoder.defaultAbiCoder().decode(['string'], reply) as unknown as [string];
    return text;
  } catch {
    return null;
  }
}
