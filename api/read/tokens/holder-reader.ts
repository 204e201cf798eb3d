/**
 * Lists token holders by balance. Merges a ranking, stored every 2,000 blocks, with holders whose balance has changed
 * since.
 */
import { hexDigits, maxUint256, zeroAddress } from '#chain/codec/hex.ts';
import { tokenStandards } from '#chain/codec/token-abi.ts';
import { clampBalance } from '#chain/codec/wide-sum.ts';
import { known } from '#runtime/known.ts';
import type { Database } from '#sql/client.ts';
import type { ChainState } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import { Cache } from '../../cache/cache.ts';
import { getHeldCode, heldAs, type TokenLedger } from './token-ledger.ts';

export interface Holder {
  readonly address: string;
  readonly balance: bigint;
}

interface Ranking {
  readonly token: string;
  /** 1 ERC-20, 2 ERC-721, 3 ERC-1155. */
  readonly code: number;
}

/** Position in the ranking, sorted by balance (highest first), then address. */
export interface HolderPlace {
  readonly inverse: bigint;
  readonly address: string;
}

type RankedRecord = BinaryRowOf<'ranked_holders'>;

interface Chunk {
  readonly after: HolderPlace;
  readonly holders: readonly Holder[];
  readonly next: HolderPlace | undefined;
}

const defaultChunkRows = 1_000;
const cachedChunks = 20;

export const firstPlace: HolderPlace = { inverse: 0n, address: zeroAddress };

export const placeOfHolder = ({ address, balance }: Holder): HolderPlace => ({
  inverse: maxUint256 - balance,
  address,
});

export class HolderReader {
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

  async read(state: ChainState, { token, code }: Ranking, after: HolderPlace, count: number): Promise<Holder[]> {
    const figures = await this.ledger.of(state, token);
    if (!figures) return [];
    const { moved } = heldAs(figures, code);
    const ranking = { token, code: getHeldCode(figures, code) };
    const first = await this.#chunk(state, ranking, after);
    const changed = [...moved]
      .filter(([, balance]) => balance > 0n)
      .map(([address, balance]) => ({ address, balance: clampBalance(balance) }))
      .filter((holder) => isAfter(holder, after));
    const ranked: Holder[] = [];
    for (let chunk: Chunk | undefined = first; chunk; ) {
      ranked.push(...chunk.holders.filter((holder) => !moved.has(holder.address) && isAfter(holder, after)));
      chunk = chunk.next && ranked.length < count ? await this.#chunk(state, ranking, chunk.next) : undefined;
    }
    const all = [...ranked, ...changed].sort((a, b) => comparePositions(placeOfHolder(a), placeOfHolder(b)));
    return all.slice(0, count);
  }

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
    const { positions, next } = mergeRows(rows, this.chunkRows);
    return {
      after: at,
      holders: positions
        .filter((row) => row.is_held === 1)
        .map((row) => ({ address: row.holder, balance: maxUint256 - BigInt(row.inverse_balance) })),
      next: next && { inverse: BigInt(next.inverse_balance), address: next.holder },
    };
  }
}

/**
 * Returns the newest of the rows with the same holder and balance. If there are `limit` rows, omits the last holder,
 * because more of its rows may follow.
 */
function mergeRows(
  rows: readonly RankedRecord[],
  limit: number,
): { positions: RankedRecord[]; next: RankedRecord | undefined } {
  const positions: RankedRecord[] = [];
  for (const row of rows) {
    const last = positions.at(-1);
    const isSame = last?.holder === row.holder && last.inverse_balance === row.inverse_balance;
    if (!isSame) positions.push(row);
    else if (Number(row.era) > Number(last.era)) positions[positions.length - 1] = row;
  }
  if (rows.length < limit) return { positions, next: undefined };
  if (positions.length > 1) positions.pop();
  return { positions, next: positions.at(-1) };
}

const isAfter = (holder: Holder, place: HolderPlace) => comparePositions(placeOfHolder(holder), place) > 0;

const isWithin = ({ after, next }: Chunk, place: HolderPlace) =>
  comparePositions(after, place) <= 0 && (!next || comparePositions(place, next) < 0);

function comparePositions(a: HolderPlace, b: HolderPlace): number {
  if (a.inverse !== b.inverse) return a.inverse < b.inverse ? -1 : 1;
  return a.address < b.address ? -1 : a.address > b.address ? 1 : 0;
}
