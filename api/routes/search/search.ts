import { z } from 'zod';
import { hexDigits } from '#chain/codec/hex.ts';
import { registryKinds } from '#registry/kinds.ts';
import { type ChainState, rollupParameters, snapshotParameters } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { findBlock } from '../../read/chain/find-block.ts';
import { genesisIndexInfo } from '../../read/chain/freshness.ts';
import type { TransactionReader } from '../../read/chain/transaction-reader.ts';
import type { ChainDeps, CoverageDeps, SnapshotDeps, StoreDeps } from '../../read/reader-deps.ts';
import { type EntityRecord, noManifest, serializeEntity } from '../../read/registry/entity.ts';
import { type EntityDeps, findEntity } from '../../read/registry/find-entity.ts';
import type { SourceDeps } from '../../read/registry/source-reader.ts';
import { findToken, type TokenDeps } from '../../read/tokens/find-token.ts';
import { Count, HexAddress, HexData, HexHash, IndexInfo, Limit, withoutChain } from '../../terms/primitives.ts';
import type { BlockRecord, TokenRecord } from '../../terms/records.ts';
import { Token, toToken } from '../tokens/token.ts';

const minNameLength = 3;

const Match = z.enum(['exact', 'partial']);

const SearchItem = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('anchor'),
      match: Match,
      number: Count,
      hash: HexHash,
      canonical: z.boolean().meta({ description: 'false: a reorg removed this block' }),
      url: z.string(),
    }),
    z.strictObject({
      type: z.literal('transaction'),
      match: Match,
      txHash: HexHash,
      blockNumber: Count,
      url: z.string(),
    }),
    z.strictObject({
      type: z.literal('address'),
      match: Match,
      address: HexAddress,
      name: z.string().nullable().meta({ description: 'Name of the verified contract that matched the search' }),
      url: z.string(),
    }),
    z.strictObject({
      type: z.literal('entity'),
      match: Match,
      id: HexHash,
      kind: z.enum(registryKinds),
      label: z.string().nullable(),
      address: HexAddress.nullable(),
      url: z.string(),
    }),
    z.strictObject({
      type: z.literal('method'),
      match: Match,
      kind: z.enum(['function', 'event']),
      selector: HexData.meta({ description: 'Method id of a function, or topic 0 of an event' }),
      signature: z.string(),
      url: z.string(),
    }),
    z.strictObject({ type: z.literal('token'), match: Match, token: Token, url: z.string() }),
    z.strictObject({ type: z.literal('nft'), match: Match, token: Token, url: z.string() }),
  ])
  .meta({ id: 'SearchItem' });

type FindDeps = TokenDeps & SourceDeps & EntityDeps & { readonly transactions: TransactionReader };

type Item = z.input<typeof SearchItem>;

export const search = defineRoute({
  id: 'search',
  base: '/api/v1',
  path: '/search',
  methods: ['get'],
  tag: 'search',
  summary: 'Search the chain and the registry',
  description:
    'Finds addresses, transactions, blocks, tokens, registry entities (such as partners) and methods. Exact matches come first.',
  params: z.object({}),
  query: z.object({
    q: z
      .string('is missing: send an address, a hash, a block number, or part of a name')
      .trim()
      .min(1, 'must not be empty')
      .max(100, 'must have at most 100 characters')
      .meta({
        description:
          'Address (also CAIP-10), hash, block number (1500 or 1,500), part of a name or symbol, or the beginning of a method name',
        example: 'USD',
      }),
    limit: Limit,
  }),
  response: z.strictObject({ items: z.array(SearchItem), query: z.string(), limit: Count, index: IndexInfo }),
  errors: ['bad_query', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 1,
  example: '/search?q=USD',
  handle: (deps: FindDeps & SnapshotDeps & CoverageDeps, { query: { q, limit } }) =>
    deps.snapshots.run(async (state) => {
      const isName = [...q].length >= minNameLength;
      const found = await Promise.all([findIds(deps, state, q), isName ? findByName(deps, state, q, limit) : []]);
      const items = found.flat().map((item) => ({ item, distance: computeDistance(item, q.toLowerCase()) }));
      const ordered = items.sort((a, b) => a.distance - b.distance).map(({ item }) => item);
      return { items: ordered.slice(0, limit), query: q, limit, index: genesisIndexInfo(deps, state) };
    }),
});

/** Finds blocks, transactions, addresses and entities by number, hash or id. */
async function findIds(deps: FindDeps & ChainDeps, state: ChainState, text: string): Promise<Item[]> {
  const number = text.replace(/^#/, '').replace(/(?<=\d)[,_ '](?=\d{3}(\D|$))/g, '');
  if (/^\d{1,15}$/.test(number)) return findAnchor(deps, state, Number(number));
  const id = withPrefix(withoutChain(text)); // parseInput() rejects accounts of other chains (CAIP-10)
  if (/^0x[0-9a-f]{40}$/.test(id)) return findAddress(deps, state, id);
  if (!/^0x[0-9a-f]{64}$/.test(id)) return [];
  return (await Promise.all([findHash(deps, state, id), findEntityById(deps, state, id)])).flat();
}

/** Finds tokens, labels, contracts and methods by part of their name. */
async function findByName(deps: FindDeps & ChainDeps, state: ChainState, text: string, limit: number): Promise<Item[]> {
  const isMethod = /^[a-z_$][\w$]{2,}(\([\w,()[\]]*)?$/i.test(text);
  const found = await Promise.all([
    findLabels(deps, text, limit),
    findTokens(deps, state, text, limit),
    findContracts(deps, text, limit),
    isMethod ? findMethods(deps, text, limit) : [],
  ]);
  return found.flat();
}

/** Returns the rank of a result: exact match, name begins with the text, a word of the name begins with it, other. */
function computeDistance(item: Item, text: string): number {
  if (item.match === 'exact') return 0;
  const names = listNames(item);
  const ranks = names.map((name) => {
    const lower = (name ?? '').toLowerCase();
    if (lower.startsWith(text)) return 1;
    return lower.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(text)) ? 2 : 3;
  });
  // methods rank last among equals, because their names begin with common words
  return Math.min(...ranks, 4) + (item.type === 'method' ? 0.5 : 0);
}

function listNames(item: Item): readonly (string | null)[] {
  if (item.type === 'entity') return [item.label];
  if (item.type === 'address') return [item.name];
  if (item.type === 'method') return [item.signature];
  return 'token' in item ? [item.token.name, item.token.symbol] : [];
}

async function findContracts({ database }: StoreDeps, text: string, limit: number): Promise<Item[]> {
  const rows = await database.read('search_contracts', { text, limit });
  return rows.map(({ address_hex: address, name }) => {
    const match = name.toLowerCase() === text.toLowerCase() ? ('exact' as const) : ('partial' as const);
    return { type: 'address', match, address, name, url: `/api/v1/accounts/${address}` };
  });
}

const withPrefix = (text: string) => (/^0x/i.test(text) ? text : `0x${text}`).toLowerCase();

async function findAnchor(deps: StoreDeps, state: ChainState, number: number): Promise<Item[]> {
  const row = await findBlock(deps, state, number);
  return row ? [anchorItem(row)] : [];
}

async function findHash(deps: FindDeps, state: ChainState, hash: string): Promise<Item[]> {
  const parameters = { ...snapshotParameters(state), hash: hexDigits(hash) };
  const [blocks, transaction] = await Promise.all([
    deps.database.read('block_by_hash', parameters),
    deps.transactions.find(state, hash),
  ]);
  const isFound = blocks.length > 0 || transaction !== undefined;
  const removed = isFound ? [] : await deps.database.read('orphaned_block', { hash: hexDigits(hash) });
  return [
    ...(transaction ? [transaction] : []).map((row) => ({
      type: 'transaction' as const,
      match: 'exact' as const,
      txHash: row.hash,
      blockNumber: Number(row.block_number),
      url: `/api/v1/transactions/${row.hash}`,
    })),
    ...blocks.map(anchorItem),
    ...removed.map(({ block_number }) => ({
      type: 'anchor' as const,
      match: 'exact' as const,
      number: Number(block_number),
      hash,
      canonical: false,
      url: `/api/v1/strings/${hash}`,
    })),
  ];
}

async function findAddress(deps: TokenDeps & ChainDeps, state: ChainState, address: string): Promise<Item[]> {
  const token = await findToken(deps, state, address);
  const account = {
    type: 'address' as const,
    match: 'exact' as const,
    address,
    name: null,
    url: `/api/v1/accounts/${address}`,
  };
  return token ? [tokenItem(deps.settings.chainId, token, 'exact'), account] : [account];
}

async function findTokens(
  deps: StoreDeps & ChainDeps,
  state: ChainState,
  text: string,
  limit: number,
): Promise<Item[]> {
  const rows = await deps.database.read('search_names', { ...rollupParameters(state), text, limit });
  const wanted = text.toLowerCase();
  return rows.map((row) => {
    const isExact = [row.name, row.symbol].some((name) => name?.toLowerCase() === wanted);
    return tokenItem(deps.settings.chainId, row, isExact ? 'exact' : 'partial');
  });
}

async function findEntityById(deps: EntityDeps & SourceDeps, state: ChainState, id: string): Promise<Item[]> {
  const manifest = (await deps.sources.current('registry_manifest'))?.sha256 ?? noManifest;
  const entity = await findEntity(deps, state, manifest, id);
  return entity ? [entityItem(entity, 'exact')] : [];
}

async function findLabels({ database }: StoreDeps, text: string, limit: number): Promise<Item[]> {
  const rows = await database.read('search_labels', { text, limit });
  const isExact = (row: EntityRecord) => row.label.toLowerCase() === text.toLowerCase();
  return rows.map((row) => entityItem(serializeEntity(row), isExact(row) ? 'exact' : 'partial'));
}

async function findMethods({ database }: StoreDeps, text: string, limit: number): Promise<Item[]> {
  const rows = await database.read('search_signatures', { text, limit });
  return rows.map(({ selector_hex, kind, signature }) => {
    const selector = `0x${selector_hex}`;
    const isExact = signature.toLowerCase() === text.toLowerCase();
    return {
      type: 'method',
      match: isExact ? 'exact' : 'partial',
      kind: kind === 'event' ? 'event' : 'function',
      selector,
      signature,
      url:
        kind === 'event'
          ? `/api?module=logs&action=getLogs&topic0=${selector}`
          : `/api/v1/transactions?method=${selector}`,
    };
  });
}

function entityItem(
  { id, kind, label, address }: ReturnType<typeof serializeEntity>,
  match: 'exact' | 'partial',
): Item {
  return { type: 'entity', match, id, kind, label, address, url: `/api/v1/registry/entity/${id}` };
}

function anchorItem(row: BlockRecord): Item {
  const number = Number(row.block_number);
  const url = `/api/v1/strings/${number}`;
  return { type: 'anchor', match: 'exact', number, hash: row.block_hash, canonical: true, url };
}

function tokenItem(chainId: number, row: TokenRecord, match: 'exact' | 'partial'): Item {
  const type = row.standard === 'erc20' ? ('token' as const) : ('nft' as const);
  return { type, match, token: toToken(chainId, row), url: `/api/v1/tokens/${row.address}` };
}
