import { z } from 'zod';
import { isoTime } from '#chain/codec/iso-time.ts';
import { finalThrough, rollupParameters } from '#sql/snapshot.ts';
import { defineRoute } from '../../http/define-route.ts';
import { type FigureDeps, readFigures } from '../../read/chain/figures.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import type { CoverageDeps, SnapshotDeps } from '../../read/reader-deps.ts';
import type { NetworkDeps } from '../../terms/network.ts';
import { Count, HexAddress, HexHash, IndexInfo, IsoTime } from '../../terms/primitives.ts';
import type { TokenRecord } from '../../terms/records.ts';

/** @source specification part 8 */
const requiredConfirmations = 20;
/** Tokens in the list: the ones with most holders. */
const maxTokens = 100;

const TokenListEntry = z
  .strictObject({
    chainId: Count,
    address: HexAddress,
    name: z.string(),
    symbol: z.string(),
    decimals: Count,
  })
  .meta({ id: 'TokenListEntry' });

const NetworkConfig = z
  .strictObject({
    chainId: z.string().meta({ description: 'Hexadecimal, as EIP-3085 wants it' }),
    chainName: z.string(),
    nativeCurrency: z.strictObject({ name: z.string(), symbol: z.string(), decimals: Count }),
    rpcUrls: z.array(z.string()),
    blockExplorerUrls: z.array(z.string()),
    iconUrls: z.array(z.string()),
    genesisHash: HexHash.meta({ description: 'Hash of block 0 as it was indexed' }),
    publishedGenesisHash: HexHash.nullable().meta({ description: 'As configured; null where none is' }),
    genesisMatches: z.boolean().nullable().meta({ description: 'Both are the same; null where none is published' }),
    finality: z.strictObject({ requiredConfirmations: Count, finalizedBlock: Count }),
    blocks: z
      .strictObject({
        confirmations: Count.meta({ description: 'After which a deposit is credited' }),
        estimateBlockTime: z.number().nullable().meta({ description: 'Seconds, over the last 100 anchors' }),
        reorgPeriod: Count.meta({ description: 'Anchors behind the head that may still be replaced' }),
      })
      .meta({ description: 'Finality in the shape of the Hyperlane registry' }),
    tokenList: z
      .strictObject({
        name: z.string(),
        timestamp: IsoTime,
        version: z.strictObject({ major: Count, minor: Count, patch: Count }),
        tokens: z.array(TokenListEntry),
      })
      .meta({
        description: 'Of the token-list schema; the version is the number of the block, major and minor 1 and 0',
      }),
    tokens: z.array(TokenListEntry).meta({ description: 'TOKEN-20 tokens that say name, symbol and decimals' }),
    index: IndexInfo,
  })
  .meta({ id: 'NetworkConfig' });

interface ConfigDeps extends FigureDeps {
  readonly settings: NetworkDeps['settings'] & { readonly genesisHash: string | undefined };
}

/** @source specification 4.2, EIP-3085, and part 8 for the confirmations */
export const getNetworkConfig = defineRoute({
  id: 'getNetworkConfig',
  base: '/api/v1',
  path: '/network/config',
  methods: ['get'],
  tag: 'network',
  summary: 'The network as wallets take it (EIP-3085), with its token list',
  section: '4.2',
  params: z.object({}),
  query: z.object({}),
  response: NetworkConfig,
  errors: ['indexing', 'store_unavailable'],
  maxAgeSeconds: 3,
  example: '/network/config',
  handle: (deps: ConfigDeps & SnapshotDeps & CoverageDeps) =>
    deps.snapshots.run(async (state) => {
      const { settings } = deps;
      const [identity, found, figures, headTime] = await Promise.all([
        deps.database.readOne('chain_identity'),
        deps.database.read('list_tokens', {
          ...rollupParameters(state),
          text: '',
          standard: 'erc20',
          sort: 'holders',
          at_value: '18446744073709551615',
          at_token: 'ff'.repeat(20),
          limit: maxTokens,
        }),
        readFigures(deps, state),
        deps.blockTimes.head(state),
      ]);
      const tokens = found.flatMap((token) => tokenListEntry(settings.chainId, token));
      const { genesis_hash: genesisHash } = identity;
      const published = settings.genesisHash ?? null;
      return {
        chainId: `0x${settings.chainId.toString(16)}`,
        chainName: settings.network.chainName,
        nativeCurrency: settings.network.nativeCurrency,
        rpcUrls: [...settings.network.rpcUrls],
        blockExplorerUrls: [...settings.network.explorerUrls],
        iconUrls: [],
        genesisHash,
        publishedGenesisHash: published,
        genesisMatches: published === null ? null : published === genesisHash,
        finality: { requiredConfirmations, finalizedBlock: finalThrough(state) },
        blocks: {
          confirmations: requiredConfirmations,
          estimateBlockTime: figures.averageBlockTime,
          reorgPeriod: Math.max(requiredConfirmations, state.head - state.finalized),
        },
        tokenList: {
          name: settings.network.chainName.replace(/[^\w ]/g, ' ').slice(0, 30),
          timestamp: isoTime(headTime),
          version: { major: 1, minor: 0, patch: state.head },
          tokens,
        },
        tokens,
        index: indexInfo(deps, state),
      };
    }),
});

/** A token that says of itself what the token-list schema asks for; others are left out. @source @uniswap/token-lists */
function tokenListEntry(chainId: number, { address, name, symbol, decimals }: TokenRecord) {
  if (name === null || symbol === null || decimals === null) return [];
  const fits = [...name].length <= 60 && [...symbol].length <= 20 && /^\S*$/.test(symbol) && !/[\r\n]/.test(name);
  return fits ? [{ chainId, address, name, symbol, decimals }] : [];
}
