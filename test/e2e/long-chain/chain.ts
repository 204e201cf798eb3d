import test from 'ava';
import { type IndexedChain, startIndexedChain, waitForTokens } from '#test/helpers/indexed-chain.ts';

export let indexed: IndexedChain;

test.serial.before(async () => {
  indexed = await startIndexedChain(
    { blobs: true, blocks: 2_150, quiet: { after: 350, blocks: 1_500 }, seed: 1 },
    { verify: 'hash' },
  );
  await waitForTokens(indexed);
});

test.after.always(() => indexed?.stop());
