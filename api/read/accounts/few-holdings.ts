/** Computes token balances of small accounts in memory: three times as fast as SQL joins. */

import { hexDigits } from '#chain/codec/hex.ts';
import { combineSumParts } from '#chain/codec/wide-sum.ts';
import { distinctBy } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import { type ChainState, rollupParameters } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import { Cache } from '../../cache/cache.ts';

const defaultMaxRows = 2_000;

export interface Held {
  readonly token: string;
  readonly standard: string;
  readonly id: bigint;
  /** Negative if the token contract emits wrong events. */
  readonly balance: bigint;
}

type ClosedRecord = BinaryRowOf<'closed_holdings'>;

export class FewHoldings {
  readonly #closed = new Cache<readonly ClosedRecord[]>('closed_holdings');
  readonly database: Database;
  readonly maxRows: number;

  constructor(database: Database, maxRows = defaultMaxRows) {
    this.database = database;
    this.maxRows = maxRows;
  }

  /** @returns undefined if the account has more than `maxRows` rows */
  async of(state: ChainState, address: string): Promise<Held[] | undefined> {
    const parameters = { ...rollupParameters(state), address: hexDigits(address), limit: this.maxRows + 1 };
    const [closed, open] = await Promise.all([
      this.#closed.of(parameters.address, state, () => this.database.readBinary('closed_holdings', parameters)),
      this.database.readBinary('open_holdings', parameters),
    ]);
    if (Math.max(closed.length, open.length) > this.maxRows) return undefined;
    return sumChanges([
      ...distinctBy(closed, ({ token, standard, token_id, era }) => `${token} ${standard} ${token_id} ${era}`),
      ...distinctBy(open, (row) => `${row.block_number} ${row.log_index} ${row.batch_index} ${row.direction}`),
    ]);
  }
}

function sumChanges(changes: readonly Omit<ClosedRecord, 'era'>[]): Held[] {
  const held = new Map<string, Held>();
  for (const { token, standard, token_id, delta, delta_high } of changes) {
    const key = `${token} ${standard} ${token_id}`;
    const balance = (held.get(key)?.balance ?? 0n) + combineSumParts(delta, delta_high);
    held.set(key, { token: hexDigits(token), standard, id: BigInt(token_id), balance });
  }
  return [...held.values()].sort((a, b) =>
    a.token < b.token ? -1 : a.token > b.token ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0,
  );
}
