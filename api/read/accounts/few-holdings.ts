/**
 * What an account holds, where it is little: all that moved in closed eras, which is kept, and the transfers behind them, added up
 * here. Two bare look-ups beside each other take the engine a third of what statements that join and group them take it.
 */

import { hexDigits } from '#chain/codec/hex.ts';
import { sumOfParts } from '#chain/codec/wide-sum.ts';
import { distinctBy } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, rollupParameters } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import { Cache } from '../../cache/cache.ts';

/** Rows of an account that are added up here, of each of both kinds. */
const fewRows = 2_000;

/** A token, standard and id that the account had to do with; the balance may be 0 by now. */
export interface Held {
  /** 40 hex digits. */
  readonly token: string;
  readonly standard: string;
  readonly id: bigint;
  /** Below 0 where the events of the token lie. */
  readonly balance: bigint;
}

type ClosedRecord = BinaryRowOf<'closed_holdings'>;

export class FewHoldings {
  readonly #closed = new Cache<readonly ClosedRecord[]>('closed_holdings');
  readonly database: Database;
  readonly most: number;

  constructor(database: Database, most = fewRows) {
    this.database = database;
    this.most = most;
  }

  /** @returns by token, standard and id; undefined where there is too much to add up here */
  async of(state: ChainState, address: string): Promise<Held[] | undefined> {
    const parameters = { ...rollupParameters(state), address: hexDigits(address), limit: this.most + 1 };
    const [closed, open] = await Promise.all([
      this.#closed.of(parameters.address, state, () => this.database.readBinary('closed_holdings', parameters)),
      this.database.readBinary('open_holdings', parameters),
    ]);
    if (Math.max(closed.length, open.length) > this.most) return undefined;
    return sumOf([
      ...distinctBy(closed, ({ token, standard, token_id, era }) => `${token} ${standard} ${token_id} ${era}`),
      ...distinctBy(open, (row) => `${row.block_number} ${row.log_index} ${row.batch_index} ${row.direction}`),
    ]);
  }
}

/** @param moved to and from the account, in parts */
function sumOf(moved: readonly Omit<ClosedRecord, 'era'>[]): Held[] {
  const held = new Map<string, Held>();
  for (const { token, standard, token_id, delta, delta_high } of moved) {
    const key = `${token} ${standard} ${token_id}`;
    const balance = (held.get(key)?.balance ?? 0n) + sumOfParts(delta, delta_high);
    held.set(key, { token: hexDigits(token), standard, id: BigInt(token_id), balance });
  }
  return [...held.values()].sort((a, b) =>
    a.token < b.token ? -1 : a.token > b.token ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0,
  );
}
