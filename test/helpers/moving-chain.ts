import { type ChainState, readChainState } from '#sql/snapshot.ts';
import { modelTransfers, readChainModel } from './chain-model.ts';
import type { IndexedChain } from './indexed-chain.ts';
import { headReader } from './service.ts';

/** Returns states that readers may have, including outdated ones. */
export function* states(last: ChainState): Generator<ChainState> {
  // caches identify a snapshot by the hash of its head
  const at = (head: number): ChainState => ({ ...last, head, headHash: `${last.headHash} ${head}` });
  for (let head = last.finalized + 1; head <= last.head; head += 9) yield at(head);
  yield at(last.finalized + 2); // an old state of a reader that started long ago
  yield last;
  yield { ...at(last.finalized + 5), reorgGeneration: last.reorgGeneration + 1 }; // a reorg removed blocks
  yield { ...last, reorgGeneration: last.reorgGeneration + 1 };
  yield last; // from before the reorg
}

/** Returns a state `blocks` blocks later. */
export async function grow({ chain, pipeline }: IndexedChain, blocks: number): Promise<ChainState> {
  await chain.mineLive(blocks);
  return pipeline.caughtUp(headReader(chain));
}

/** Waits until no further block becomes finalized, and updates the chain model. */
export async function refreshModel({ pipeline, chain, blocks, transfers }: IndexedChain): Promise<void> {
  const { database } = pipeline.deps;
  let [before, state] = [-1, (await readChainState(database))!];
  while (state.version !== before) {
    before = state.version;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    state = (await readChainState(database))!;
  }
  blocks.splice(0, blocks.length, ...(await readChainModel(chain.rpc, state.head)));
  transfers.splice(0, transfers.length, ...modelTransfers(blocks));
}
