import type { ChainStateStore } from '../store/chain-state-store.ts';
import type { ChainWindow } from './chain-window.ts';

/**
 * Publishes the newest stored block, unless it is published already.
 * @param chainHead newest block of the node, published only with a new head; undefined: unchanged
 */
export async function publishHead(
  store: ChainStateStore,
  { head: { number, hash } }: ChainWindow,
  chainHead?: number,
): Promise<void> {
  if (store.state.head === number && store.state.headHash === hash) return;
  await store.publish({ head: number, headHash: hash, ...(chainHead !== undefined && { chainHead }) });
}
