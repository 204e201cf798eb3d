import { z } from 'zod';
import { eraParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import { defineRoute } from '../../define-route.ts';
import { indexInfo } from '../../freshness.ts';
import { Count, HexAddress, HexHash, IndexInfo } from '../../schema/primitives.ts';
import type { TokenRecord } from '../tokens/token.ts';

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
    genesisHash: HexHash,
    finality: z.strictObject({ requiredConfirmations: Count, finalizedBlock: Count }),
    tokens: z.array(TokenListEntry).meta({ description: 'TOKEN-20 tokens that say name, symbol and decimals' }),
    index: IndexInfo,
  })
  .meta({ id: 'NetworkConfig' });

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
  handle: ({ settings, ...deps }) =>
    deps.snapshots.run(async (state) => {
      const [identity, tokens] = await Promise.all([
        deps.database.read<{ genesis_hash: string }>(getStatement(deps.statements, 'chain_identity')),
        deps.database.read<TokenRecord>(getStatement(deps.statements, 'list_tokens'), {
          ...eraParameters(state),
          ...{ text: '', standard: 'erc20', sort: 'holders' },
          ...{ at_value: '18446744073709551615', at_token: 'ff'.repeat(20), limit: maxTokens },
        }),
      ]);
      return {
        chainId: `0x${settings.chainId.toString(16)}`,
        chainName: settings.network.chainName,
        nativeCurrency: settings.network.nativeCurrency,
        rpcUrls: [...settings.network.rpcUrls],
        blockExplorerUrls: [...settings.network.explorerUrls],
        genesisHash: identity[0]!.genesis_hash,
        finality: { requiredConfirmations: 20, finalizedBlock: state.finalized },
        tokens: tokens.flatMap(({ address, name, symbol, decimals }) =>
          name === null || symbol === null || decimals === null
            ? []
            : [{ chainId: settings.chainId, address, name, symbol, decimals }],
        ),
        index: indexInfo({ ...deps, settings }, state),
      };
    }),
});
