import test from 'ava';
import { importManifest } from '#pipeline/sources/import-manifest.ts';
import { type IndexedChain, startIndexedChain, waitForClosedDays, waitForTokens } from '#test/helpers/indexed-chain.ts';
import { toDocument, toId, toManifest } from '#test/helpers/manifests.ts';
import { recipients } from '#test/helpers/own-chart-model.ts';
import { chainId } from '#test/helpers/service.ts';

export let indexed: IndexedChain;

test.serial.before(async () => {
  // a block every 38 hours and 53 minutes from 2023-11-14: some days are empty, the last year is incomplete
  indexed = await startIndexedChain({
    blobs: true,
    blocks: 320,
    seed: 5,
    blockSeconds: 140_000,
    genesisTime: 1_700_000_000,
  });
  await waitForTokens(indexed); // the price needs the decimals of its tokens
  await waitForClosedDays(indexed);
  const entities = exchanges().map((address, i) => ({
    kind: 'wallet',
    label: `Deposit ${i}`,
    id: toId(`deposit ${i}`),
    address,
    category: 'exchange',
  }));
  const other = { kind: 'wallet', label: 'Shop', address: recipients(indexed.blocks)[3], category: 'shop' };
  const deps = indexed.pipeline.deps;
  await importManifest(deps, toDocument(toManifest([...entities, other])), { chainId });
});

test.after.always(() => indexed?.stop());

export const exchanges = () => recipients(indexed.blocks).slice(0, 3);
