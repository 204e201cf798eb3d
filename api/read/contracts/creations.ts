import { hexDigits } from '#chain/codec/hex.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, finalizedPart, isWhole, snapshotParameters } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import { KeyedReads } from '../../cache/keyed-reads.ts';
import type { AccountHistory } from '../accounts/read-history.ts';

export type DirectCreation = BinaryRowOf<'contract_creations'>;
export type InternalCreation = BinaryRowOf<'internal_creations'>;

/** Newest creation of a contract by a transaction, and by another contract in a traced block. */
interface Creation {
  readonly direct: DirectCreation | undefined;
  readonly internal: InternalCreation | undefined;
}

const addressDigits = 42;

export class Creations {
  /** By address and AccountHistory.creationKey(). */
  readonly #older: KeyedReads<Creation, ChainState>;
  readonly database: Database;
  readonly accountHistory: AccountHistory;

  constructor(database: Database, accountHistory: AccountHistory) {
    this.database = database;
    this.accountHistory = accountHistory;

    this.#older = new KeyedReads('creations', (keys, state) => this.#read(finalizedPart(state), keys));
  }

  /** @param addresses lower case; the creations have the same order */
  async of(state: ChainState, addresses: readonly string[]): Promise<(Creation | undefined)[]> {
    const keys = await Promise.all(addresses.map((address) => this.#readKey(state, address)));
    const isOlder = (key: string) => key.length > addressDigits;
    const newer = keys.filter((key) => !isOlder(key));
    const [older, newest] = await Promise.all([
      this.#older.of(keys.filter(isOlder), state),
      newer.length === 0 ? undefined : this.#read(state, newer),
    ]);
    return keys.map((key) => older.get(key) ?? newest?.get(key));
  }

  /** Returns address and creationKey(); only the address if blocks are missing, or new blocks may have a creation. */
  async #readKey(state: ChainState, address: string): Promise<string> {
    const older = isWhole(state) ? await this.accountHistory.creationKey(state, address) : undefined;
    return older === undefined ? address : `${address} ${older}`;
  }

  /** @param keys each begins with an address */
  async #read(state: ChainState, keys: readonly string[]): Promise<Map<string, Creation>> {
    const addresses = keys.map((key) => key.slice(0, addressDigits));
    const parameters = { ...snapshotParameters(state), addresses: addresses.map(hexDigits) };
    const [direct, internal] = await Promise.all([
      this.database.readBinary('contract_creations', parameters),
      this.database.readBinary('internal_creations', parameters),
    ]);
    return new Map(
      keys.map((key, i) => {
        const isOwn = (row: DirectCreation | InternalCreation) => row.contract_address === addresses[i];
        return [key, { direct: direct.find(isOwn), internal: internal.find(isOwn) }];
      }),
    );
  }
}
