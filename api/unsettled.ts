/**
 * Who and what occurs in the blocks above the finalized one. Each of these blocks is a partition of its own in every table;
 * a look-up of something that occurs in none of them needs not open them.
 */
import type { Database } from '#sql/client.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { getStatement, type Statements } from '#sql/statements.ts';
import { PerState } from './per-state.ts';

interface Members {
  readonly hashes: ReadonlySet<string>;
  readonly addresses: ReadonlySet<string>;
}

export class UnsettledReader {
  readonly #members = new PerState<Members>(4);

  constructor(
    readonly database: Database,
    readonly statements: Statements,
  ) {}

  /** The state to look a transaction up in: without the unsettled blocks where none of them has it. */
  async stateForHash(state: ChainState, hash: string): Promise<ChainState> {
    return (await this.#read(state)).hashes.has(hash.toLowerCase()) ? state : settledOnly(state);
  }

  /** The same for the history of an address. */
  async stateForAddress(state: ChainState, address: string): Promise<ChainState> {
    return (await this.#read(state)).addresses.has(address.toLowerCase()) ? state : settledOnly(state);
  }

  #read(state: ChainState): Promise<Members> {
    return this.#members.of('members', state, async () => {
      const [row] = await this.database.readBinary<{ hashes: string[]; addresses: string[] }>(
        getStatement(this.statements, 'unsettled_members'),
        snapshotParameters(state),
      );
      return { hashes: new Set(row!.hashes), addresses: new Set(row!.addresses) };
    });
  }
}

function settledOnly(state: ChainState): ChainState {
  return { ...state, head: state.finalized };
}
