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

const requiredConfirmations = 20;
/** The token list has the tokens with most holders. */
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
    chainId: z.string().meta({ description: 'Chain id, hexadecimal as in EIP-3085' }),
    chainName: z.string(),
    nativeCurrency: z.strictObject({ name: z.string(), symbol: z.string(), decimals: Count }),
    rpcUrls: z.array(z.string()),
    blockExplorerUrls: z.array(z.string()),
    iconUrls: z.array(z.string()),
    genesisHash: HexHash.meta({
      description: 'Hash of block 0 in the index; compare it with your node to check that both are on the same chain',
    }),
    publishedGenesisHash: HexHash.nullable().meta({
      description: 'Genesis hash that the operator configured for this chain; null if none is configured',
    }),
    genesisMatches: z.boolean().nullable().meta({
      description: 'true if genesisHash equals publishedGenesisHash; null if no published hash is configured',
    }),
    finality: z.strictObject({ requiredConfirmations: Count, finalizedBlock: Count }),
    blocks: z
      .strictObject({
        confirmations: Count.meta({ description: 'Confirmations required to credit a deposit' }),
        estimateBlockTime: z
          .number()
          .nullable()
          .meta({ description: 'Average time between two blocks over the last 100 blocks, seconds' }),
        reorgPeriod: Count.meta({
          description: 'Number of blocks below the newest block that a reorg may still replace',
        }),
      })
      .meta({ description: 'Finality and block time in the format of the Hyperlane registry' }),
    tokenList: z
      .strictObject({
        name: z.string(),
        timestamp: IsoTime,
        version: z.strictObject({ major: Count, minor: Count, patch: Count }),
        tokens: z.array(TokenListEntry),
      })
      .meta({
        description: 'Token list in the Uniswap token-list schema; its version is 1.0.<block number>',
      }),
    tokens: z
      .array(TokenListEntry)
      .meta({ description: 'TOKEN-20 (ERC-20) tokens whose contracts return name, symbol and decimals' }),
    index: IndexInfo,
  })
  .meta({ id: 'NetworkConfig' });

interface ConfigDeps extends FigureDeps {
  readonly settings: NetworkDeps['settings'] & { readonly genesisHash: string | undefined };
}

/** @source EIP-3085 */
export const getNetworkConfig = defineRoute({
  id: 'getNetworkConfig',
  base: '/api/v1',
  path: '/network/config',
  methods: ['get'],
  tag: 'network',
  summary: 'Network parameters for wallets',
  description: 'Returns the parameters with which a wallet adds the chain (EIP-3085), and a token list.',
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

/** Returns a token's entry in the token list; [] if it violates the list's schema. @source @uniswap/token-lists */
function tokenListEntry(chainId: number, { address, name, symbol, decimals }: TokenRecord) {
  if (name === null || symbol === null || decimals === null) return [];
  const fits = [...name].length <= 60 && [...symbol].length <= 20 && /^\S*$/.test(symbol) && !/[\r\n]/.test(name);
  return fits ? [{ chainId, address, name, symbol, decimals }] : [];
}
