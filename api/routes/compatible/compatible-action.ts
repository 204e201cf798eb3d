/** What an action of the compatible interface is, how it says no, and how its parameters are read. */
import { isAddress } from '#chain/codec/hex.ts';
import type { ApiDeps } from '../../deps.ts';

/** @param parameters by lower-case name */
export type CompatibleAction = (deps: ApiDeps, parameters: ReadonlyMap<string, string>) => Promise<unknown>;

/** A refusal: by default the text is the result and the message NOTOK. */
export class CompatibleError extends Error {
  override readonly name = 'CompatibleError';
  readonly reply: { status: '0'; message: string; result: unknown };

  constructor(text: string, place: 'result' | 'message' = 'result', result: unknown = null) {
    super(text);
    this.reply =
      place === 'result' ? { status: '0', message: 'NOTOK', result: text } : { status: '0', message: text, result };
  }
}

/** @throws CompatibleError in the words that clients know */
export function addressOf(parameters: ReadonlyMap<string, string>, name = 'address'): string {
  const address = parameters.get(name);
  if (!address) throw new CompatibleError('Error! Missing address');
  if (!isAddress(address)) throw new CompatibleError('Error! Invalid address format');
  return address.toLowerCase();
}

/** Rows that page times offset may reach. */
export const maxWindow = 10_000;

/** Block window and page of a list. page and offset count only together; a high endblock is taken as it is. */
export function listWindow(parameters: ReadonlyMap<string, string>) {
  const block = (name: string, fallback: number) => {
    const text = parameters.get(name);
    if (text === undefined || text === '') return fallback;
    if (text.toLowerCase() === 'latest') return Number.MAX_SAFE_INTEGER;
    if (!/^\d+$/.test(text)) throw new CompatibleError('Error! Invalid block number');
    return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  };
  const positive = (name: string) =>
    /^[1-9]\d{0,8}$/.test(parameters.get(name) ?? '') ? Number(parameters.get(name)) : undefined;
  const [page, offset] = [positive('page'), positive('offset')];
  const isPaged = page !== undefined && offset !== undefined;
  if (isPaged && page * offset > maxWindow) {
    throw new CompatibleError(
      `Result window is too large, PageNo x Offset size must be less than or equal to ${maxWindow}`,
      'message',
    );
  }
  const limit = isPaged ? offset : maxWindow;
  return {
    fromBlock: block('startblock', 0),
    toBlock: block('endblock', Number.MAX_SAFE_INTEGER),
    skip: isPaged ? (page - 1) * offset : 0,
    limit,
    order: parameters.get('sort')?.toLowerCase() === 'desc' ? ('desc' as const) : ('asc' as const),
  };
}
