/** Sample documents of the dev chain: a registry manifest (named entities) and an ecosystem directory (projects). */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataSlice, id } from 'ethers';
import type { Directory } from '#registry/directory.ts';
import { canonicalId } from '#registry/entity-id.ts';
import { canonVersion, type DerivedKind, registryKinds } from '#registry/kinds.ts';
import type { Manifest, ManifestEntity } from '#registry/manifest.ts';
import { known } from '#runtime/known.ts';
import type { DevChain } from './devchain.ts';
import { agentCount, agentId, devTestimonyContract, firstAgent } from './testimony.ts';
import { devValidators } from './validators.ts';
import type { World } from './world.ts';

const depositAddresses = 1_400;
const organizations = ['Harbour Exchange', 'Lantern Markets', 'Quayside Custody', 'Northlight Data'];
const exchange = 'organization Harbour Exchange';

export const sampleFiles = {
  manifest: 'registry-manifest.json',
  directory: 'ecosystem-directory.json',
  feed: 'order-book-feed.json',
} as const;

export async function writeSampleDocuments(dir: string, { world, options, genesisTime }: DevChain): Promise<void> {
  await mkdir(dir, { recursive: true });
  const generatedAt = new Date(1000 * (genesisTime + options.blocks * options.blockSeconds)).toISOString();
  const documents = {
    [sampleFiles.manifest]: sampleManifest(world, options.chainId, generatedAt),
    [sampleFiles.directory]: sampleDirectory(world, generatedAt),
  };
  for (const [name, document] of Object.entries(documents)) await writeAtomically(join(dir, name), document);
}

/** Writes a document so that readers never see a part of it. */
export async function writeAtomically(path: string, document: unknown): Promise<void> {
  await writeFile(`${path}.part`, JSON.stringify(document));
  await rename(`${path}.part`, path);
}

export function sampleManifest(world: World, chainId: number, generatedAt: string): Manifest {
  const entities = [...chainEntities(world, chainId), ...otherEntities(world)];
  const counts = Object.fromEntries(
    registryKinds.map((kind) => [kind, entities.filter((entity) => entity.kind === kind).length]),
  );
  return { canon: canonVersion, chainId, version: `dev chain, ${generatedAt}`, generatedAt, counts, entities };
}

function chainEntities(world: World, chainId: number): ManifestEntity[] {
  const own = (
    kind: DerivedKind,
    address: string,
    label: string,
    category: string,
    more: Partial<ManifestEntity> = {},
  ) => ({
    id: canonicalId({ kind, chainId, address }),
    kind,
    label,
    address,
    category,
    ...more,
  });
  const deposits = Array.from({ length: depositAddresses }, (_, i) => dataSlice(id(`Harbour deposit ${i}`), 12));
  return [
    ...world.accounts.map((address, i) => own('wallet', address, `Dev account ${i}`, i < 6 ? 'trader' : 'wallet')),
    ...deposits.map((address, i) =>
      own('wallet', address, `Harbour deposit ${i}`, 'exchange', { parent: id(exchange) }),
    ),
    ...devValidators.map((address, i) => own('wallet', address, `Validator ${i + 1}`, 'validator')),
    ...(
      [
        [world.wfat, 'Wrapped FAT', 'token'],
        [world.usdx, 'USD Exchange', 'token'],
        [world.nft, 'Anchor Pictures', 'nft'],
        [world.multi, 'Harbour Passes', 'nft'],
        [world.factory, 'Pair factory', 'dex'],
        [world.pair, 'WFAT/USDX pair', 'dex'],
        [world.payout, 'Payout', 'payments'],
        [devTestimonyContract(), 'Testimonies', 'agents'],
      ] as const
    ).map(([address, label, category]) => own('contract', address, label, category)),
  ];
}

function otherEntities(world: World): ManifestEntity[] {
  const named = (kind: ManifestEntity['kind'], label: string, more: Partial<ManifestEntity> = {}): ManifestEntity => ({
    id: id(`${kind} ${label}`),
    kind,
    label,
    ...more,
  });
  const many = (kind: ManifestEntity['kind'], label: string, count: number) =>
    Array.from({ length: count }, (_, i) => named(kind, `${label} ${i + 1}`));
  const [usdx, cord, anch] = world.tokens;
  return [
    named('asset', 'FAT', { category: 'native coin', attributes: { decimals: '18' } }),
    named('asset', 'US dollar note', {
      category: 'fiat',
      address: usdx,
      attributes: { reserve: 'cash', symbol: 'USDX' },
    }),
    named('asset', 'Cord credit', { category: 'credit', address: cord, attributes: { symbol: 'CORD' } }),
    named('asset', 'Anchor points', { category: 'loyalty', address: anch, attributes: { symbol: 'ANCH' } }),
    named('asset', 'Anchor Pictures', { category: 'collectible', address: world.nft }),
    ...world.accounts.map((address, i) =>
      named('did', `did:cord:${address}`, { address, description: `Dev account ${i}` }),
    ),
    ...world.accounts.slice(firstAgent, firstAgent + agentCount).map(
      (address, i): ManifestEntity => ({
        id: agentId(address),
        kind: 'did',
        label: `AI agent ${i + 1}`,
        address,
        category: 'agent',
      }),
    ),
    ...organizations.map((label) =>
      named('organization', label, {
        category: label.slice(label.indexOf(' ') + 1).toLowerCase(),
        url: 'https://example.org/',
      }),
    ),
    ...many('application', 'Application', 20),
    ...many('ecosystem', 'Ecosystem', 8),
    ...many('partner', 'Partner', 20),
    ...many('cord', 'Cord', 60),
  ];
}

function sampleDirectory(world: World, generatedAt: string): Directory {
  const roles = ['rpc', 'relay', 'validator', 'agent'] as const;
  const categories = ['exchange', 'wallet', 'custodian', 'data'];
  const entries = world.accounts.slice(0, 24).map((address, i) => ({
    id: `project-${i + 1}`,
    name: `${organizations[i % organizations.length]} ${i + 1}`,
    category: known(categories[i % categories.length], 'a category'),
    nodeRole: known(roles[i % roles.length], 'a role'),
    nodeKey: id(`node key ${i}`),
    url: 'https://example.org/',
    address,
  }));
  return { generatedAt, version: 'dev chain', entries };
}
