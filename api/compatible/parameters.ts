import { isAddress, isHash, toQuantity } from '#chain/codec/hex.ts';
import { CompatibleError } from './action.ts';

type Given = ReadonlyMap<string, string>;

/** Error texts are those that clients of Etherscan expect. @throws CompatibleError */
export function parseAddress(parameters: Given, name = 'address'): string {
  const address = parameters.get(name)?.trim();
  const what = name === 'contractaddress' ? 'contract address' : 'address';
  if (!address) throw new CompatibleError(`Error! Missing ${what}`);
  if (!isAddress(address)) throw new CompatibleError(`Error! Invalid ${what} format`);
  return address.toLowerCase();
}

export function parseOptionalAddress(parameters: Given, name: string): string | undefined {
  return parameters.get(name)?.trim() ? parseAddress(parameters, name) : undefined;
}

/** @throws CompatibleError if an address is invalid or the list has more than `max` addresses */
export function parseAddresses(parameters: Given, name: string, max: number): string[] {
  const addresses = (parameters.get(name) ?? '').split(',').map((text) => text.trim());
  if (addresses.length > max) throw new CompatibleError(`Error! Maximum of ${max} addresses, got ${addresses.length}`);
  return addresses.map((address) => parseAddress(new Map([[name, address]]), name));
}

export function parseHash(parameters: Given, name = 'txhash'): string {
  const hash = parameters.get(name)?.trim();
  if (!isHash(hash)) throw new CompatibleError('Error! Invalid transaction hash: must be 0x and 64 hex digits');
  return hash.toLowerCase();
}

/** Returns a block tag or number for requests to nodes. */
export function parseTag(text: string | undefined): string {
  const tag = (text || 'latest').toLowerCase();
  if (/^(latest|pending|earliest|safe|finalized|0x[0-9a-f]{1,15})$/.test(tag)) return tag;
  if (/^\d{1,15}$/.test(tag)) return toQuantity(Number(tag));
  throw new CompatibleError('Error! Invalid block number: must be decimal, hex or a tag such as latest');
}

interface Heights {
  readonly head: number;
  readonly finalized: number;
}

/** Tags whose block changes while the chain grows. */
const movingTags = new Map<string, keyof Heights>([
  ['latest', 'head'],
  ['pending', 'head'],
  ['safe', 'finalized'],
  ['finalized', 'finalized'],
]);

const readText = (parameters: Given, name: string) => parameters.get(name)?.trim().toLowerCase() ?? '';

/** Returns the height that a moving tag such as latest names; undefined for other values. */
export const readMovingTag = (parameters: Given, name: string): keyof Heights | undefined =>
  movingTags.get(readText(parameters, name));

/** Parses a decimal or hex block number, or `earliest`. Accepts other block tags if `heights` is set. */
export function parseBlock(
  parameters: Given,
  name: string,
  { fallback, heights }: { fallback?: number; heights?: Heights } = {},
): number {
  const text = readText(parameters, name);
  if (text === '' && fallback !== undefined) return fallback;
  const height = movingTags.get(text);
  if (heights && height) return heights[height];
  if (text === 'earliest') return 0;
  if (!/^(\d+|0x[0-9a-f]{1,64})$/.test(text))
    throw new CompatibleError(`Error! Invalid block number: ${name} must be decimal or hex`);
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

export const isDescending = (parameters: Given) => parameters.get('sort')?.trim().toLowerCase() === 'desc';

const maxWindow = 10_000;

interface PageWindow {
  readonly skip: number;
  readonly limit: number;
}

export interface PageRows {
  /** Number of rows without `page` and `offset`. */
  readonly fallback?: number;
  /** `page` and `offset` also work separately, as in lists that only Blockscout has. */
  readonly worksAlone?: boolean;
  /** Maximum `offset`. A larger one is an error. */
  readonly most?: number;
  /** A larger `offset` is reduced to this value. */
  readonly cap?: number | undefined;
}

/**
 * As in Etherscan, `page` without `offset` or the reverse is ignored, unless `worksAlone` is set.
 * @throws CompatibleError if their product exceeds `maxWindow` rows, or `offset` exceeds `most`
 */
export function pageWindow(
  parameters: Given,
  { cap, fallback = cap ?? maxWindow, most, worksAlone = false }: PageRows = {},
): PageWindow {
  const positive = (name: string) =>
    /^0*[1-9]\d*$/.test(parameters.get(name)?.trim() ?? '') ? Number(parameters.get(name)) : undefined;
  const [asked, rows] = [positive('page'), positive('offset')];
  const isWhole = asked !== undefined && rows !== undefined;
  if (!isWhole && !worksAlone) return { skip: 0, limit: fallback };
  const [page, offset] = [asked ?? 1, rows ?? fallback];
  if (most !== undefined && offset > most) throw new CompatibleError(`Error! offset must be at most ${most}`);
  const limit = Math.min(offset, cap ?? offset);
  if (page * limit > maxWindow) {
    throw new CompatibleError(
      `Result window is too large, PageNo x Offset size must be less than or equal to ${maxWindow}`,
      'message',
    );
  }
  return { skip: (page - 1) * limit, limit };
}

export interface SideFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** fromto_opr=or: a transaction matches if its sender or its recipient matches. */
  readonly isEither: boolean;
}

/** Whether a list is filtered by sender or recipient. No index supports this, and few rows may match. */
export const hasSide = ({ from, to }: SideFilter): boolean => from !== undefined || to !== undefined;

/**
 * Parses from, to and fromto_opr (Etherscan), or filterby=from or to (Blockscout), which selects a side of the address.
 * @throws CompatibleError
 */
export function sideFilter(parameters: Given): SideFilter {
  const side = blockscoutParameter(parameters, 'filter', 'by')?.toLowerCase();
  if (side) return sideOfAddress(parameters, side);
  const [from, to] = [parseOptionalAddress(parameters, 'from'), parseOptionalAddress(parameters, 'to')];
  const operator = parameters.get('fromto_opr')?.trim().toLowerCase();
  if (operator && operator !== 'and' && operator !== 'or')
    throw new CompatibleError('Error! Invalid fromto_opr: must be "and" or "or"');
  if (from && to && !operator) throw new CompatibleError('Error! Missing fromto_opr: must be "and" or "or"');
  if (operator === 'and' && !(from && to)) throw new CompatibleError('Error! fromto_opr=and needs both from and to');
  return { from, to, isEither: operator === 'or' };
}

function sideOfAddress(parameters: Given, side: string): SideFilter {
  if (side !== 'from' && side !== 'to') throw new CompatibleError('Error! Invalid filterby: must be "from" or "to"');
  if (parameters.get('from') || parameters.get('to'))
    throw new CompatibleError('Error! filterby selects a side of address: leave out from and to');
  return { [side]: parseAddress(parameters), isEither: false };
}

/** Parses Blockscout's starttimestamp or endtimestamp, Unix seconds. @throws CompatibleError */
export function parseTime(parameters: Given, end: 'start' | 'end'): number | undefined {
  const text = blockscoutParameter(parameters, end, 'timestamp');
  if (!text) return undefined;
  if (!/^\d{1,12}$/.test(text))
    throw new CompatibleError(`Error! Invalid ${end}timestamp: must be Unix seconds, decimal`);
  return Number(text);
}

/** Versions of Blockscout write these names with or without an underscore. */
const blockscoutParameter = (parameters: Given, first: string, second: string): string | undefined =>
  (parameters.get(first + second) ?? parameters.get(`${first}_${second}`))?.trim();
