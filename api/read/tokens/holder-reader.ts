/**
 * Holders of a token, richest first: the ranking of the last closed era, with everyone whose balance changed since taken
 * out and put in again at the place of now.
 */

import { hexDigits, maxUint256 } from '#chain/codec/hex.ts';
import { tokenStandards } from '#chain/codec/token-abi.ts';
import { amountOfSum } from '#chain/codec/wide-sum.ts';
import { known } from '#runtime/known.ts';
import type { Database } from '#sql/client.ts';
import type { ChainState } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import { Cache } from '../../cache/cache.ts';
import { heldAs, heldCode, type TokenLedger } from './token-ledger.ts';

export interface Holder {
  readonly address: string;
  readonly balance: bigint;
}

/** Holders of a token by one standard. */
interface Ranking {
  readonly token: string;
  /** 1 ERC-20, 2 ERC-721, 3 ERC-1155; of a contract without such events those of its first one count. */
  readonly code: number;
}

/** Place in the order: richest first, then by address. */
export interface HolderPlace {
  readonly inverse: bigint;
  readonly address: string;
}

type RankedRecord = BinaryRowOf<'ranked_holders'>;

/** Holders of the ranking behind a place, up to the next. */
interface Chunk {
  readonly after: HolderPlace;
  readonly holders: readonly Holder[];
  /** Undefined: nothing follows. */
  readonly next: HolderPlace | undefined;
}

/** Places of the ranking read at once; some of them are given up. */
const defaultChunkRows = 1_000;
/** Of one ranking. */
const cachedChunks = 20;

/** In front of the richest. */
export const firstPlace: HolderPlace = { inverse: 0n, address: `0x${'0'.repeat(40)}` };

export const placeOfHolder = ({ address, balance }: Holder): HolderPlace => ({
  inverse: maxUint256 - balance,
  address,
});

export class HolderReader {
  /** By ranking, the newest chunk last. */
  readonly #chunks = new Cache<readonly Chunk[]>('rankings');
  readonly #reading = new Cache<Chunk>('ranking_reads');
  readonly database: Database;
  readonly ledger: Pick<TokenLedger, 'of'>;
  readonly chunkRows: number;

  constructor(database: Database, ledger: Pick<TokenLedger, 'of'>, chunkRows = defaultChunkRows) {
    this.database = database;
    this.ledger = ledger;
    this.chunkRows = chunkRows;
  }

  /** @returns at most `count` holders behind `after` */
  async read(state: ChainState, { token, code }: Ranking, after: HolderPlace, count: number): Promise<Holder[]> {
    const figures = await this.ledger.of(state, token);
    if (!figures) return [];
    const { moved } = heldAs(figures, code);
    const ranking = { token, code: heldCode(figures, code) };
    const first = await this.#chunk(state, ranking, after);
    const changed = [...moved]
      .filter(([, balance]) => balance > 0n)
      .map(([address, balance]) => ({ address, balance: amountOfSum(balance) }))
      .filter((holder) => isBehind(holder, after));
    const ranked: Holder[] = [];
    for (let chunk: Chunk | undefined = first; chunk; ) {
      ranked.push(...chunk.holders.filter((holder) => !moved.has(holder.address) && isBehind(holder, after)));
      chunk = chunk.next && ranked.length < count ? await this.#chunk(state, ranking, chunk.next) : undefined;
    }
    const all = [...ranked, ...changed].sort((a, b) => comparePlaces(placeOfHolder(a), placeOfHolder(b)));
    return all.slice(0, count);
  }

  /** What follows a place: pages of a walk are cut from one chunk. A closed ranking changes when an era is closed alone. */
  async #chunk(state: ChainState, ranking: Ranking, at: HolderPlace): Promise<Chunk> {
    const key = `${ranking.token}@${ranking.code}`;
    const known = () => this.#chunks.get(key, state) ?? [];
    const found = known().find((chunk) => isWithin(chunk, at));
    if (found) return found;
    const chunk = await this.#reading.of(`${key}@${at.inverse}@${at.address}`, state, () =>
      this.#readChunk(ranking, at),
    );
    if (!known().includes(chunk)) this.#chunks.set(key, state, [...known(), chunk].slice(-cachedChunks));
    return chunk;
  }

  async #readChunk({ token, code }: Ranking, at: HolderPlace): Promise<Chunk> {
    const rows = await this.database.readBinary('ranked_holders', {
      token: hexDigits(token),
      standard: known(tokenStandards[code - 1], 'the standard of a ranking'),
      at_inverse: String(at.inverse),
      at_holder: hexDigits(at.address),
      limit: this.chunkRows,
    });
    const { places, next } = placesOf(rows, this.chunkRows);
    return {
      after: at,
      holders: places
        .filter((row) => row.is_held === 1)
        .map((row) => ({ address: row.holder, balance: maxUint256 - BigInt(row.inverse_balance) })),
      next: next && { inverse: BigInt(next.inverse_balance), address: next.holder },
    };
  }
}

/** Each place as of its highest era, and the last one where more may follow: the rows of the one behind it may be cut. */
function placesOf(
  rows: readonly RankedRecord[],
  limit: number,
): { places: RankedRecord[]; next: RankedRecord | undefined } {
  const places: RankedRecord[] = [];
  for (const row of rows) {
    const last = places.at(-1);
    const isSame = last?.holder === row.holder && last.inverse_balance === row.inverse_balance;
    if (!isSame) places.push(row);
    else if (Number(row.era) > Number(last.era)) places[places.length - 1] = row;
  }
  if (rows.length < limit) return { places, next: undefined };
  if (places.length > 1) places.pop();
  return { places, next: places.at(-1) };
}

const isBehind = (holder: Holder, place: HolderPlace) => comparePlaces(placeOfHolder(holder), place) > 0;

/** True when what follows the place begins in this chunk. */
const isWithin = ({ after, next }: Chunk, place: HolderPlace) =>
  comparePlaces(after, place) <= 0 && (!next || comparePlaces(place, next) < 0);

function comparePlaces(a: HolderPlace, b: HolderPlace): number {
  if (a.inverse !== b.inverse) return a.inverse < b.inverse ? -1 : 1;
  return a.address < b.address ? -1 : a.address > b.address ? 1 : 0;
}
