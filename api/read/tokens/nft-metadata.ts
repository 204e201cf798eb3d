/**
 * Reads NFT metadata that the pipeline fetched, and requests missing metadata from it.
 * @source docs/contracts.md#nft-metadata
 */
import { LRUCache } from 'lru-cache';
import { hexDigits } from '#chain/codec/hex.ts';
import { isoTimeFromMs } from '#chain/codec/iso-time.ts';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { RowOf } from '#sql/statement-types.ts';

export interface NftId {
  /** Lower-case 0x hex. */
  readonly contract: string;
  readonly tokenId: string;
  readonly standard: 'erc721' | 'erc1155';
}

export interface NftMetadata {
  /**
   * pending: not fetched yet; none: the contract returns no URI; failed: see `error`; off: this service fetches none.
   */
  readonly state: 'found' | 'pending' | 'none' | 'failed' | 'off';
  readonly uri: string | null;
  readonly name: string | null;
  readonly description: string | null;
  readonly traits: readonly { readonly name: string; readonly value: string }[];
  readonly pictureUri: string | null;
  /** Path of the stored picture. */
  readonly picture: string | null;
  readonly error: string | null;
  readonly fetchedAt: string | null;
}

/** Missing metadata is requested again after this time, ms. */
const requestEveryMs = 600_000;

export class NftMetadataReader {
  readonly #requested = new LRUCache<string, true>({ max: 50_000, ttl: requestEveryMs });
  readonly database: Database;
  readonly isOn: boolean;

  constructor(database: Database, isOn: boolean) {
    this.database = database;
    this.isOn = isOn;
  }

  /** Returns metadata in the order of `tokens`. @throws StoreError */
  async of(tokens: readonly NftId[]): Promise<NftMetadata[]> {
    if (!this.isOn) return tokens.map(() => ({ ...nothing, state: 'off' }));
    if (tokens.length === 0) return [];
    const rows = await this.database.read('nft_metadata', {
      contracts: tokens.map(({ contract }) => hexDigits(contract)),
      ids: tokens.map(({ tokenId }) => tokenId),
    });
    const found = new Map(rows.map((row) => [`${row.contract_hex} ${row.id}`, row]));
    await this.#request(tokens.filter((token) => isDue(found.get(toKey(token)))));
    return tokens.map((token) => {
      const row = found.get(toKey(token));
      return row ? parseRow(row) : { ...nothing, state: 'pending' };
    });
  }

  async picture({
    contract,
    tokenId,
  }: Omit<NftId, 'standard'>): Promise<{ type: string; content: Buffer } | undefined> {
    const [row] = await this.database.read('nft_picture', { contract: hexDigits(contract), id: BigInt(tokenId) });
    if (!row || row.picture === '') return undefined;
    return { type: row.picture_type, content: Buffer.from(row.picture, 'base64') };
  }

  async #request(tokens: readonly NftId[]): Promise<void> {
    const missing = tokens.filter((token) => !this.#requested.has(toKey(token)));
    if (missing.length === 0) return;
    for (const token of missing) this.#requested.set(toKey(token), true);
    const w = new RowWriter(missing.length * 64);
    for (const { contract, tokenId, standard } of missing) {
      w.fixed(contract, 20);
      w.uint256(BigInt(tokenId));
      w.uint8(standard === 'erc721' ? 2 : 3);
      w.uint32(Math.floor(Date.now() / 1_000));
    }
    await this.database.insertRowBinary('nft_requests', w.view());
  }
}

const toKey = ({ contract, tokenId }: NftId) => `${contract} ${tokenId}`;

const weekMs = 7 * 86_400_000;
const isDue = (row: RowOf<'nft_metadata'> | undefined) =>
  row === undefined || row.state === 'failed' || row.error !== '' || Date.now() - Number(row.fetched_ms) > weekMs;

const nothing: Omit<NftMetadata, 'state'> = {
  ...{ uri: null, name: null, description: null, traits: [], pictureUri: null, picture: null, error: null },
  fetchedAt: null,
};

function parseRow(row: RowOf<'nft_metadata'>): NftMetadata {
  const orNull = (text: string) => (text === '' ? null : text);
  const traits = (JSON.parse(row.traits) as [string, string][]).map(([name, value]) => ({ name, value }));
  return {
    state: row.state === 'found' || row.state === 'none' ? row.state : 'failed',
    uri: orNull(row.uri),
    name: orNull(row.name),
    description: orNull(row.description),
    traits,
    pictureUri: orNull(row.picture_uri),
    picture: row.picture_type === '' ? null : `/api/v1/nfts/${row.contract_hex}/tokens/${row.id}/picture`,
    error: orNull(row.error),
    fetchedAt: isoTimeFromMs(Number(row.fetched_ms)),
  };
}
