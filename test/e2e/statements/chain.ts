import test from 'ava';
import { type IndexedChain, startIndexedChain } from '#test/helpers/indexed-chain.ts';

export let indexed: IndexedChain;
/** Finalized block before tests mine blocks. */
export let finalized: number;
/** All accounts before tests mine blocks, sorted. */
export let accounts: string[];

export const checkpoints = { transactions: 400, blocks: 5 };
/** First block of the statements. */
export const low = 10;

test.serial.before(async () => {
  indexed = await startIndexedChain({ blocks: 90, seed: 17 }, { traces: 'on', checkpoints, jobsEveryMs: 200 }, () => ({
    addressSetLimit: 3_000,
  }));
  finalized = (await indexed.pipeline.state())!.finalized;
  const all = indexed.blocks.flatMap(({ miner, txs }) => [
    miner,
    ...txs.flatMap(({ from, to, created }) => [from, to, created]),
  ]);
  accounts = [...new Set(all.flatMap((one) => one ?? []))].sort();
});

test.after.always(() => indexed?.stop());

// biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field
type Reply = any;

export async function readStatement(query: Record<string, string>): Promise<Reply> {
  const { status, body } = await indexed.api.get(`/api/v1/statement?${new URLSearchParams(query)}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}
