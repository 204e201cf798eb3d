/** Hashes of blocks by height; those of final blocks are kept. */
import { LRUCache } from 'lru-cache';
import type { Database } from '#sql/client.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { getStatement, type Statements } from '#sql/statements.ts';

export class BlockHashes {
  readonly #final = new LRUCache<string, string>({ max: 200_000 });

  constructor(
    readonly database: Database,
    readonly statements: Statements,
  ) {}

  /** @returns hash by height, for each height that is visible */
  async of(state: ChainState, numbers: readonly number[]): Promise<Map<number, string>> {
    const wanted = [...new Set(numbers)];
    const hashes = new Map<number, string>();
    const missing: number[] = [];
    for (const number of wanted) {
      const known = number <= state.finalized ? this.#final.get(`${state.epoch}:${number}`) : undefined;
      if (known) hashes.set(number, known);
      else missing.push(number);
    }
    if (missing.length === 0) return hashes;
    const rows = await this.database.read<{ block_number: string; block_hash: string }>(
      getStatement(this.statements, 'block_hashes_of'),
      {
        ...snapshotParameters(state),
        numbers: missing,
      },
    );
    for (const row of rows) {
      const number = Number(row.block_number);
      hashes.set(number, row.block_hash);
      if (number <= state.finalized) this.#final.set(`${state.epoch}:${number}`, row.block_hash);
    }
    return hashes;
  }
}
