import type { Wallet } from 'ethers';
import { isoTime } from '#chain/codec/iso-time.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { findBlock } from '../chain/find-block.ts';
import { getCoverage } from '../chain/freshness.ts';
import type { StateDeps } from '../reader-deps.ts';
import { type Checkpoint, readCheckpoints, signCheckpoint, storeCheckpoint } from './checkpoint.ts';
import { addTables, noRows, sameTables, sumTables } from './sum-tables.ts';

export interface CheckpointDeps extends StateDeps {
  readonly settings: StateDeps['settings'] & { readonly chainId: number };
}

function readFinalizedBlock(deps: CheckpointDeps) {
  return deps.snapshots.run(async (state) => {
    const { gaps } = getCoverage(deps, state, state.startBlock, state.finalized);
    if (gaps.length > 0)
      throw new ApiProblem('indexing', 'a checkpoint needs an index without gaps up to the finalized block', { gaps });
    const header = await findBlock(deps, state, state.finalized);
    if (!header) throw new ApiProblem('indexing', 'the finalized block is not indexed yet');
    return { state, block: state.finalized, blockHash: header.block_hash, time: header.time };
  });
}

export class Checkpoints {
  #running: Promise<Checkpoint> | undefined;
  /** Last checkpoint that matched the index, and the reorg generation of the comparison. */
  #equal: { readonly digest: string; readonly reorgGeneration: number } | undefined;
  readonly signer: Wallet;

  constructor(signer: Wallet) {
    this.signer = signer;
  }

  /**
   * Signs a checkpoint of the finalized block, unless the last checkpoint includes it. Adds new rows to the sums of the
   * last checkpoint. After each reorg, compares these sums with the stored rows. If they differ, counts all rows.
   * @throws ApiProblem indexing if the index has gaps up to the finalized block, or if blocks of the last checkpoint
   *   were replaced and the finalized block is not above it
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
    const base = last && (await this.#isEqual(deps, state, last)) ? last.document : undefined;
    if (last && last.document.block >= block) {
      if (base) return last;
      const text = `blocks of the last checkpoint were replaced: the next one needs a finalized block above ${last.document.block}`;
      throw new ApiProblem('indexing', text);
    }
    // needs no snapshot: the reorg generation shows any change
    const since = await sumTables(database, state, base ? base.block + 1 : 0, block);
    await deps.snapshots.run(async ({ reorgGeneration }) => {
      if (reorgGeneration !== state.reorgGeneration)
        throw new ApiProblem('indexing', 'a reorg replaced blocks during the calculation; try again');
    });
    const made = await signCheckpoint(
      {
        version: 1,
        chainId: settings.chainId,
        number: (last?.document.number ?? 0) + 1,
        ...(state.startBlock > 0 && { from: state.startBlock }),
        block,
        blockHash,
        tables: addTables(base?.tables ?? noRows(), since),
        previous: last?.digest ?? null,
        // not the current time, so that two processes build the same document
        createdAt: isoTime(time),
      },
      this.signer,
    );
    await storeCheckpoint(database, made);
    this.#equal = { digest: made.digest, reorgGeneration: state.reorgGeneration };
    const [first] = (await readCheckpoints(database, { limit: 10 })).filter(
      ({ document }) => document.number === made.document.number,
    );
    return first ?? made;
  }

  /** Returns whether the stored rows still match a checkpoint. */
  async #isEqual(deps: CheckpointDeps, state: ChainState, { digest, document }: Checkpoint): Promise<boolean> {
    const { reorgGeneration, finalized } = state;
    if (this.#equal?.digest === digest && this.#equal.reorgGeneration === reorgGeneration) return true;
    if (document.block > finalized) return false;
    const header = await findBlock(deps, state, document.block);
    if (header?.block_hash !== document.blockHash) return false;
    if (!sameTables(await sumTables(deps.database, state, 0, document.block), document.tables)) return false;
    this.#equal = { digest, reorgGeneration };
    return true;
  }
}
