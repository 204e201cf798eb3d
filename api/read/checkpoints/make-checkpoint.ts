/** Makes the next checkpoint: what the one before held, and the blocks since then. */
import type { Wallet } from 'ethers';
import { isoTime } from '#chain/codec/iso-time.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { findBlock } from '../chain/find-block.ts';
import { coverageOf } from '../chain/freshness.ts';
import type { StateDeps } from '../reader-deps.ts';
import { type Checkpoint, readCheckpoints, signCheckpoint, storeCheckpoint } from './checkpoint.ts';
import { addTables, noRows, sumTables } from './sum-tables.ts';

/** What a checkpoint is made from. */
export interface CheckpointDeps extends StateDeps {
  readonly settings: StateDeps['settings'] & { readonly chainId: number };
}

/** The finalized block, where nothing is missing below it. */
function readAnchor(deps: CheckpointDeps) {
  return deps.snapshots.run(async (state) => {
    const { gaps } = coverageOf(deps, state, state.startBlock, state.finalized);
    if (gaps.length > 0) throw new ApiProblem('indexing', 'a checkpoint is made where the index has no gap', { gaps });
    const header = await findBlock(deps, state, state.finalized);
    if (!header) throw new ApiProblem('indexing', 'the finalized block is not indexed yet');
    return { state, block: state.finalized, blockHash: header.block_hash, time: header.time };
  });
}

export class Checkpoints {
  #making: Promise<Checkpoint> | undefined;
  readonly signer: Wallet;

  constructor(signer: Wallet) {
    this.signer = signer;
  }

  /**
   * The checkpoint of the finalized block; callers that come while one is made get that one. The same block again gives the
   * same checkpoint.
   * @throws ApiProblem indexing while the index has gaps below that block
   */
  make(deps: CheckpointDeps): Promise<Checkpoint> {
    this.#making ??= this.#make(deps).finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  async #make(deps: CheckpointDeps): Promise<Checkpoint> {
    const { database, settings } = deps;
    const [last] = await readCheckpoints(database, { limit: 1 });
    const { state, block, blockHash, time } = await readAnchor(deps);
    if (last && last.document.block >= block) return last;
    // settled rows stay where they are, so they are summed up outside of the snapshot, however long it takes
    const since = await sumTables(database, state, last ? last.document.block + 1 : 0, block);
    await deps.snapshots.run(async ({ reorgGeneration }) => {
      if (reorgGeneration !== state.reorgGeneration)
        throw new ApiProblem('indexing', 'blocks were replaced while they were summed up, try again');
    });
    const made = await signCheckpoint(
      {
        version: 1,
        chainId: settings.chainId,
        number: (last?.document.number ?? 0) + 1,
        block,
        blockHash,
        tables: addTables(last?.document.tables ?? noRows(), since),
        // of the block and not of the clock: two processes that anchor the same block make the same document
        previous: last?.digest ?? null,
        createdAt: isoTime(time),
      },
      this.signer,
    );
    await storeCheckpoint(database, made);
    const [first] = (await readCheckpoints(database, { limit: 10 })).filter(
      ({ document }) => document.number === made.document.number,
    );
    return first ?? made;
  }
}
