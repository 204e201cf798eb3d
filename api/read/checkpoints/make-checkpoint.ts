import type { Wallet } from 'ethers';
import { isoTime } from '#chain/codec/iso-time.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { findBlock } from '../chain/find-block.ts';
import { coverageOf } from '../chain/freshness.ts';
import type { StateDeps } from '../reader-deps.ts';
import { type Checkpoint, readCheckpoints, signCheckpoint, storeCheckpoint } from './checkpoint.ts';
import { addTables, noRows, sumTables } from './sum-tables.ts';

export interface CheckpointDeps extends StateDeps {
  readonly settings: StateDeps['settings'] & { readonly chainId: number };
}

function readFinalizedBlock(deps: CheckpointDeps) {
  return deps.snapshots.run(async (state) => {
    const { gaps } = coverageOf(deps, state, state.startBlock, state.finalized);
    if (gaps.length > 0)
      throw new ApiProblem('indexing', 'a checkpoint needs an index without gaps up to the finalized block', { gaps });
    const header = await findBlock(deps, state, state.finalized);
    if (!header) throw new ApiProblem('indexing', 'the finalized block is not indexed yet');
    return { state, block: state.finalized, blockHash: header.block_hash, time: header.time };
  });
}

export class Checkpoints {
  #running: Promise<Checkpoint> | undefined;
  readonly signer: Wallet;

  constructor(signer: Wallet) {
    this.signer = signer;
  }

  /**
   * Signs a checkpoint of the finalized block, unless the last checkpoint includes this block.
   * @throws ApiProblem indexing if the index has gaps up to the finalized block
   */
  make(deps: CheckpointDeps): Promise<Checkpoint> {
    this.#running ??= this.#make(deps).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #make(deps: CheckpointDeps): Promise<Checkpoint> {
    const { database, settings } = deps;
    const [last] = await readCheckpoints(database, { limit: 1 });
    const { state, block, blockHash, time } = await readFinalizedBlock(deps);
    if (last && last.document.block >= block) return last;
    // finalized rows do not change, so this needs no snapshot
    const since = await sumTables(database, state, last ? last.document.block + 1 : 0, block);
    await deps.snapshots.run(async ({ reorgGeneration }) => {
      if (reorgGeneration !== state.reorgGeneration)
        throw new ApiProblem('indexing', 'a reorg replaced blocks during the calculation; try again');
    });
    const made = await signCheckpoint(
      {
        version: 1,
        chainId: settings.chainId,
        number: (last?.document.number ?? 0) + 1,
        block,
        blockHash,
        tables: addTables(last?.document.tables ?? noRows(), since),
        previous: last?.digest ?? null,
        // block time instead of current time, so that two processes build the same document
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
