import { hexDigits } from '#chain/codec/hex.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, finalizedPart, isWhole, snapshotParameters } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import { Cache } from '../../cache/cache.ts';
import type { AccountHistory } from '../accounts/read-history.ts';

export type DirectCreation = BinaryRowOf<'contract_creations'>;
export type InternalCreation = BinaryRowOf<'internal_creations'>;

/** Newest creations of a contract: by a transaction, and by another contract in a traced block. */
export interface Creation {
  readonly direct: DirectCreation | undefined;
  readonly internal: InternalCreation | undefined;
}

export class Creations {
  readonly #older = new Cache<Creation>('creations');
  readonly database: Database;
  readonly accountHistory: AccountHistory;

  constructor(database: Database, accountHistory: AccountHistory) {
    this.database = database;
    this.accountHistory = accountHistory;
  }

  async of(state: ChainState, address: string): Promise<Creation> {
    const older = isWhole(state) ? await this.accountHistory.creationKey(state, address) : undefined;
    if (older === undefined) return this.#read(state, address);
    return this.#older.of(`${address} ${older}`, state, () => this.#read(finalizedPart(state), address));
  }

  async #read(state: ChainState, address: string): Promise<Creation> {
    const parameters = { ...snapshotParameters(state), addresses: [hexDigits(address)] };
    const [[direct], [internal]] = await Promise.all([
      this.database.readBinary('contract_creations', parameters),
      this.database.readBinary('internal_creations', parameters),
    ]);
    return { direct, internal };
  }
}
