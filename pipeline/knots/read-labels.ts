import { LRUCache } from 'lru-cache';
import { hexDigits } from '#chain/codec/hex.ts';
import { splitIntoChunks } from '#runtime/lists.ts';
import type { StoreDeps } from '../deps.ts';
import { readStored } from '../sources/source-store.ts';
import type { Knot } from './knot.ts';
import type { Label } from './store-knots.ts';

/** Maximum addresses per query: the query is sent in a URL. */
const addressesAtOnce = 1_500;

export async function readLabels({ database }: StoreDeps, knots: readonly Knot[]): Promise<Map<string, Label>> {
  const addresses = [...new Set(knots.map((knot) => hexDigits(knot.counterparty)))];
  const labels = new Map<string, Label>();
  for (const some of splitIntoChunks(addresses, addressesAtOnce)) {
    const rows = await database.read('knot_labels', { addresses: some });
    for (const { address_hex, label, category } of rows) labels.set(address_hex, { label, category });
  }
  return labels;
}

/** Results of readNamesMark, by the file's SHA-256. */
const marks = new LRUCache<string, number>({ max: 8 });

/** Returns a number that changes when names in the registry change; 0 without a registry file. */
export async function readNamesMark(deps: StoreDeps): Promise<number> {
  const { sha256: manifest } = await readStored(deps, 'registry_manifest');
  if (manifest === undefined) return 0;
  const mark = marks.get(manifest) ?? Number((await deps.database.readOne('names_mark', { manifest })).mark);
  marks.set(manifest, mark);
  return mark;
}
