/**
 * Holders of a token, richest first: the ranking of the last closed era, with everyone whose balance changed since taken
 * out and put in again at the place of now.
 */
import { hexDigits, maxUint256 } from '#chain/codec/hex.ts';
import type { Database } from '#sql/client.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { getStatement, type Statements } from '#sql/statements.ts';
import { Memo } from './memo.ts';
import type { TokenLedger } from './token-ledger.ts';

export interface Holder {
  readonly address: string;
  readonly balance: bigint;
}

/** Place in the order: richest first, then by address. */
export interface HolderPlace {
  readonly inverse: bigint;
  readonly address: string;
}

interface RankedRecord {
  holder: string;
  inverse_balance: string;
  is_held: number;
}

interface Chunk {
  readonly holders: readonly Holder[];
  /** Undefined: nothing follows. */
  readonly next: HolderPlace | undefined;
}

/** Places of the ranking read at once; some of them are given up. */
const chunkRows = 1_000;
const cachedChunks = 300;

/** In front of the richest. */
export const firstPlace: HolderPlace = { inverse: 0n, address: `0x${'0'.repeat(40)}` };

export const placeOfHolder = ({ address, balance }: Holder): HolderPlace => ({
  inverse: maxUint256 - balance,
  address,
});

export class HolderReader {
  readonly #chunks = new Memo<Chunk>(cachedChunks);

  constructor(
    readonly database: Database,
    readonly statements: Statements,
    readonly ledger: TokenLedger,
  ) {}

  /** @returns at most `count` holders behind `after` */
  async read(state: ChainState, token: string, after: HolderPlace, count: number): Promise<Holder[]> {
    const figures = await this.ledger.of(state, token);
    if (!figures) return [];
    const { moved } = figures;
    const changed = [...moved]
      .filter(([, balance]) => balance > 0n)
      .map(([address, balance]) => ({ address, balance }))
      .filter((holder) => comparePlaces(placeOfHolder(holder), after) > 0);
    const ranked: Holder[] = [];
    for (let at: HolderPlace | undefined = after; at !== undefined && ranked.length < count; ) {
      const { holders, next }: Chunk = await this.#chunk(state, token, at);
      ranked.push(...holders.filter(({ address }) => !moved.has(address)));
      at = next;
    }
    const all = [...ranked, ...changed].sort((a, b) => comparePlaces(placeOfHolder(a), placeOfHolder(b)));
    return all.slice(0, count);
  }

  /** Chunks of a closed ranking change when an era is closed or closed anew alone. */
  #chunk(state: ChainState, token: string, at: HolderPlace): Promise<Chunk> {
    const key = `${token}@${state.eraThrough}@${state.epoch}@${at.inverse}@${at.address}`;
    return this.#chunks.of(key, () => this.#readChunk(token, at));
  }

  async #readChunk(token: string, at: HolderPlace): Promise<Chunk> {
    const rows = await this.database.readBinary<RankedRecord>(getStatement(this.statements, 'ranked_holders'), {
      ...{
        token: hexDigits(token),
        at_inverse: String(at.inverse),
        at_holder: hexDigits(at.address),
        limit: chunkRows,
      },
    });
    const last = rows.length === chunkRows ? rows.at(-1) : undefined;
    return {
      holders: rows
        .filter((row) => row.is_held === 1)
        .map((row) => ({ address: row.holder, balance: maxUint256 - BigInt(row.inverse_balance) })),
      next: last && { inverse: BigInt(last.inverse_balance), address: last.holder },
    };
  }
}

function comparePlaces(a: HolderPlace, b: HolderPlace): number {
  if (a.inverse !== b.inverse) return a.inverse < b.inverse ? -1 : 1;
  return a.address < b.address ? -1 : a.address > b.address ? 1 : 0;
}
