import { hexDigits } from '#chain/codec/hex.ts';
import { splitIntoChunks } from '#runtime/lists.ts';
import type { StoreDeps } from '../deps.ts';
import type { Knot } from './knot.ts';
import type { Label } from './store-knots.ts';

/** Maximum addresses per query, because they are sent in a URL. */
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

/** Returns a number that changes when names in the registry change. */
export async function readManifestMark({ database }: StoreDeps): Promise<number> {
  const [row] = await database.read('manifest_mark');
  return Number(row?.mark ?? 0);
}
