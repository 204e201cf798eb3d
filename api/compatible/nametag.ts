/** @source docs/compatible.md */
import { type LabelDeps, readLabels } from '../read/registry/address-labels.ts';
import { type CompatibleAction, noRecords } from './action.ts';
import { parseAddresses } from './parameters.ts';

const maxAddresses = 100;

export const addressTag: CompatibleAction<LabelDeps> = async ({ deps, parameters }) => {
  const addresses = parseAddresses(parameters, 'address', maxAddresses);
  const [labels, source] = await Promise.all([readLabels(deps, addresses), deps.sources.current('registry_manifest')]);
  const rows = [...new Set(addresses)].flatMap((address) => {
    const names = labels.get(address) ?? [];
    const [first] = names;
    if (!first) return [];
    const words = [...new Set(names.flatMap(({ category }) => category ?? []))];
    return {
      address,
      nametag: first.label,
      internal_nametag: '',
      url: '',
      shortdescription: names.map(({ label }) => label).join('; '),
      notes_1: '',
      notes_2: '',
      labels: words,
      labels_slug: words.map((word) =>
        word
          .toLowerCase()
          .replace(/[^\p{L}\p{N}]+/gu, '-')
          .replace(/^-|-$/g, ''),
      ),
      reputation: 0,
      other_attributes: names.map(({ kind, entity }) => `${kind}:${entity}`),
      lastupdatedtimestamp: Math.floor((source?.generatedMs ?? 0) / 1000),
    };
  });
  if (rows.length === 0) throw noRecords();
  return rows;
};
