/** An indexed chain and its manifest, which includes hostile names. */
import { importManifest } from '#pipeline/sources/import-manifest.ts';
import { canonicalId } from '#registry/entity-id.ts';
import { type IndexedChain, startIndexedChain } from './indexed-chain.ts';
import { type LooseManifest, toDocument, toId } from './manifests.ts';
import { type ApiReply, chainId } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field
export type Row = any;

export interface RegistryChain {
  readonly indexed: IndexedChain;
  readonly wallets: readonly string[];
  readonly contracts: readonly string[];
  readonly entities: readonly LooseManifest[];
  get(path: string, init?: RequestInit): Promise<ApiReply>;
  put(manifest: LooseManifest, sha256?: string): ReturnType<typeof importManifest>;
  walk(query: string, limit: number): Promise<Row[]>;
}

export const hostile = [
  `<script>alert(1)</script>`,
  `'; DROP TABLE registry_entities; --`,
  '{{registry_entity_columns}} {limit:UInt32}',
  '\u202eevil\u0000\n\t"\\',
  '𝔘𝔫𝔦𝔠𝔬𝔡𝔢 名前 ​',
];

/** The service caches reads of a source for 50 ms. */
export const waitForSourceCache = () => new Promise((resolve) => setTimeout(resolve, 60));

export async function startRegistryChain(seed: number): Promise<RegistryChain> {
  const indexed = await startIndexedChain({ blocks: 90, seed });
  const txs = indexed.blocks.flatMap((block) => block.txs);
  const wallets = [...new Set(txs.map((tx) => tx.from))].sort();
  const created = txs.flatMap((tx) => (tx.created && tx.status === 1 ? [tx.created] : []));
  const contracts = [...new Set(created)].sort();
  const get = (path: string, init?: RequestInit) => indexed.api.get(`/api/v1${path}`, init);
  const { deps } = indexed.pipeline;
  return {
    indexed,
    wallets,
    contracts,
    get,
    entities: sampleEntities(wallets, contracts, indexed.chain.world.usdx),
    put: async (manifest, sha256) => {
      const imported = await importManifest(deps, toDocument(manifest), { chainId, sha256 });
      await waitForSourceCache();
      return imported;
    },
    walk: async (query, limit) => {
      const rows: Row[] = [];
      for (let cursor = ''; ; ) {
        const { status, body } = await get(`/registry/strings?limit=${limit}&${query}${cursor && `&cursor=${cursor}`}`);
        if (status !== 200) throw new Error(JSON.stringify(body));
        rows.push(...body.items);
        cursor = body.nextCursor;
        if (!body.hasMore) return rows;
      }
    },
  };
}

function sampleEntities(wallets: readonly string[], contracts: readonly string[], usdx: string): LooseManifest[] {
  const exchange = {
    kind: 'organization',
    label: 'Harbour Exchange',
    category: 'exchange',
    url: 'https://example.org/',
  };
  const own = { category: 'exchange', parent: toId('organization Harbour Exchange') };
  return [
    exchange,
    ...wallets.slice(0, 7).map((address, i) => ({ kind: 'wallet', label: `Harbour hot wallet ${i}`, address, ...own })),
    {
      kind: 'wallet',
      label: 'Never seen',
      address: `0x${'ab'.repeat(20)}`,
      id: canonicalId({ kind: 'wallet', chainId, address: `0x${'ab'.repeat(20)}` }),
    },
    ...contracts
      .slice(0, 3)
      .map((address, i) => ({ kind: 'contract', label: `Contract ${i}`, address, category: 'dex' })),
    { kind: 'asset', label: 'USD Exchange', address: usdx, attributes: { decimals: '6' } },
    { kind: 'did', label: 'did:cord:one', address: wallets[0] },
    ...hostile.map((label, i) => ({
      kind: 'cord',
      label,
      category: label,
      description: label,
      address: `0x${String(i).repeat(40)}`,
      attributes: { [label]: label },
    })),
  ];
}
