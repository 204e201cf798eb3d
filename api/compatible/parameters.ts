/** Parameters of the compatible interface, read as its clients write them. @source conventions 2.3 and 2.4 */
import { isAddress, isHash, toQuantity } from '#chain/codec/hex.ts';
import { CompatibleError } from './action.ts';

type Given = ReadonlyMap<string, string>;

/** @throws CompatibleError in the words that clients know */
export function addressOf(parameters: Given, name = 'address'): string {
  const address = parameters.get(name)?.trim();
  const what = name === 'contractaddress' ? 'contract address' : 'address';
  if (!address) throw new CompatibleError(`Error! Missing ${what}`);
  if (!isAddress(address)) throw new CompatibleError(`Error! Invalid ${what} format`);
  return address.toLowerCase();
}

/** Undefined where it is not given. @throws CompatibleError where it is no address */
export function optionalAddressOf(parameters: Given, name: string): string | undefined {
  return parameters.get(name)?.trim() ? addressOf(parameters, name) : undefined;
}

/** A list separated by commas. @throws CompatibleError where one is no address, or they are too many */
export function addressesOf(parameters: Given, name: string, most: number): string[] {
  const addresses = (parameters.get(name) ?? '').split(',').map((text) => text.trim());
  if (addresses.length > most) throw new CompatibleError(`Error! Maximum of ${most} addresses`);
  return addresses.map((address) => addressOf(new Map([[name, address]]), name));
}

export function hashOf(parameters: Given, name = 'txhash'): string {
  const hash = parameters.get(name)?.trim();
  if (!isHash(hash)) throw new CompatibleError('Error! Invalid transaction hash');
  return hash.toLowerCase();
}

/** A block as a node takes it. */
export function tagOf(text: string | undefined): string {
  const tag = (text || 'latest').toLowerCase();
  if (/^(latest|pending|earliest|safe|finalized|0x[0-9a-f]{1,15})$/.test(tag)) return tag;
  if (/^\d{1,15}$/.test(tag)) return toQuantity(Number(tag));
  throw new CompatibleError('Error! Invalid block number');
}

/** What tags stand for. */
interface Heights {
  readonly head: number;
  readonly finalized: number;
}

/** A height, decimal or hex; a tag where it is known what tags stand for. */
export function blockOf(
  parameters: Given,
  name: string,
  { fallback, heights }: { fallback?: number; heights?: Heights } = {},
): number {
  const text = parameters.get(name)?.trim().toLowerCase() ?? '';
  if (text === '' && fallback !== undefined) return fallback;
  if (heights && (text === 'latest' || text === 'pending')) return heights.head;
  if (heights && (text === 'safe' || text === 'finalized')) return heights.finalized;
  if (text === 'earliest') return 0;
  if (!/^(\d+|0x[0-9a-f]{1,64})$/.test(text)) throw new CompatibleError('Error! Invalid block number');
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

export const isDescending = (parameters: Given) => parameters.get('sort')?.trim().toLowerCase() === 'desc';

/** Rows that page times offset may reach. */
const maxWindow = 10_000;

interface PageWindow {
  readonly skip: number;
  readonly limit: number;
}

/** page and offset count only together. @throws CompatibleError beyond the window */
export function pageWindow(parameters: Given, most = maxWindow): PageWindow {
  const positive = (name: string) =>
    /^0*[1-9]\d{0,8}$/.test(parameters.get(name)?.trim() ?? '') ? Number(parameters.get(name)) : undefined;
  const [page, offset] = [positive('page'), positive('offset')];
  if (page === undefined || offset === undefined) return { skip: 0, limit: most };
  const limit = Math.min(offset, most === maxWindow ? offset : most);
  if (page * limit > maxWindow) {
    throw new CompatibleError(
      `Result window is too large, PageNo x Offset size must be less than or equal to ${maxWindow}`,
      'message',
    );
  }
  return { skip: (page - 1) * limit, limit };
}

/** What the advanced filters say of the two sides of a row. */
export interface SideFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** True: one of both is enough. */
  readonly isEither: boolean;
}

/** @throws CompatibleError where the operator is missing or is none */
export function sideFilter(parameters: Given): SideFilter {
  const [from, to] = [optionalAddressOf(parameters, 'from'), optionalAddressOf(parameters, 'to')];
  const operator = parameters.get('fromto_opr')?.trim().toLowerCase();
  if (operator && operator !== 'and' && operator !== 'or')
    throw new CompatibleError('Error! fromto_opr must be and or or');
  if (from && to && !operator) throw new CompatibleError('Error! Missing fromto_opr: and or or');
  if (operator === 'and' && !(from && to)) throw new CompatibleError('Error! fromto_opr=and needs both from and to');
  return { from, to, isEither: operator === 'or' };
}
