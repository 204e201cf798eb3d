/** Makes the next checkpoint: what the one before held, and the blocks since then. */
import type { Wallet } from 'ethers';
import { snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiProblem } from '../errors.ts';
import { coverageOf } from '../freshness.ts';
import { isoTimeOfMs } from '../routes/history-row.ts';
import { type Checkpoint, readCheckpoints, signCheckpoint, storeCheckpoint } from './checkpoint.ts';
import { addTables, noRows, sumTables } from './sum-tables.ts';

export class Checkpoints {
  #making: Promise<Checkpoint> | undefined;

  constructor(readonly signer: Wallet) {}

  /**
   * The checkpoint of the finalized block; callers that come while one is made get that one. The same block again gives the
   * same checkpoint.
   * @throws ApiProblem indexing while the index has gaps below that block
   */
  make(deps: ApiDeps): Promise<Checkpoint> {
    this.#making ??= this.#make(deps).finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  async #make(deps: ApiDeps): Promise<Checkpoint> {
    const { database, statements, settings } = deps;
    const [last] = await readCheckpoints(database, statements, 1);
    const made = await deps.snapshots.run(async (state) => {
      const { gaps } = coverageOf(deps, state, state.startBlock, state.finalized);
      if (gaps.length > 0)
        throw new ApiProblem('indexing', 'a checkpoint is made where the index has no gap', { gaps });
      const block = state.finalized;
      if (last && last.document.block >= block) return last;
      const [row] = await database.read<{ hash: string }>(getStatement(statements, 'pinned_block'), {
        ...{ ...snapshotParameters(state), block_number: block, hash: '0'.repeat(64) },
      });
      const since = await sumTables(database, statements, state, last ? last.document.block + 1 : 0, block);
      return signCheckpoint(
        {
          ...{ version: 1, chainId: settings.chainId, number: (last?.document.number ?? 0) + 1, block },
          ...{ blockHash: row!.hash, tables: addTables(last?.document.tables ?? noRows(), since) },
          ...{ previous: last?.digest ?? null, createdAt: isoTimeOfMs(Date.now()) },
        },
        this.signer,
      );
    });
    if (made.digest !== last?.digest) await storeCheckpoint(database, made);
    return made;
  }
}
