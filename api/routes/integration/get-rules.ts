import { z } from 'zod';
import { degradedLagBlocks, okLagBlocks } from '#gateway/upstreams.ts';
import { defineRoute } from '../../http/define-route.ts';
import type { StoreDeps } from '../../read/reader-deps.ts';
import type { NetworkDeps } from '../../terms/network.ts';
import { Count, HexHash } from '../../terms/primitives.ts';

const Step = z.array(z.string());

const Rules = z
  .strictObject({
    chainId: z.string(),
    coin: z.strictObject({ symbol: z.string(), decimals: Count, tokenContract: z.null() }),
    genesisHash: HexHash.nullable().meta({ description: 'Null before anything is indexed' }),
    requiredConfirmations: Count,
    maxReadPoolLagBlocks: z.strictObject({ ok: Count, degraded: Count }),
    maxPageSize: Count,
    endpoints: z.strictObject({
      writer: z.string(),
      readPool: z.string(),
      upstreamsStatus: z.string(),
      explorer: z.string(),
    }),
    nodePaths: z.array(
      z.strictObject({
        path: z.enum(['A', 'B', 'C']),
        what: z.string(),
        reads: z.string(),
        writes: z.string(),
        before: z.string(),
      }),
    ),
    forbidden: Step,
    deposit: Step,
    withdrawal: Step,
  })
  .meta({ id: 'IntegrationRules' });

const check = 'certificate of the node: cordscan integrator check <url>';

/** @source specification 4.14, node deployment paths */
const nodePaths = [
  {
    path: 'A' as const,
    what: 'public RPC alone',
    reads: 'the read pool or the edge',
    writes: 'the writer',
    before: check,
  },
  {
    path: 'B' as const,
    what: 'a node of the deployment console, role RPC or relay, its key registered to the project',
    reads: 'the URL that the console returned',
    writes: 'the writer, never that node',
    before: check,
  },
  {
    path: 'C' as const,
    what: 'a relay on own hardware on the mainnet, registered in a console project',
    reads: 'the relay, whose backend points at writer and read pool',
    writes: 'the writer',
    before: check,
  },
];

/** @source specification 4.14 */
const forbidden = [
  'producing or sealing blocks',
  'a genesis that does not have the published hash',
  'a separate chain with a genesis of its own',
  'crediting FAT that the explorer does not show',
];

const deposit = [
  'one deposit address a user: native FAT has no memo',
  'watch new heads, or poll the read pool',
  'of every block: transactions to a deposit address with value above 0',
  'wait for receipt status 0x1 and blockNumber + 20 <= latest, on the writer or the read pool',
  'the explorer shows the same transfer: GET /api/v1/deposits/verdict answers all of it at once',
  'credit value / 1e18 FAT, once a transaction; eth_getBalance is a sanity check alone',
];

const withdrawal = [
  'sign an EIP-155 transaction of this chain id',
  'send it to the writer alone, by eth_sendRawTransaction',
  'keep its hash at once',
  'poll the receipt; sign no second transaction while a hash is pending',
  'complete at status 0x1, when the explorer shows it',
  'after 502 or 504: send the same bytes again, never a new signature',
  'keep FAT for gas in the hot wallet beside what is paid out',
];

interface RulesDeps extends StoreDeps {
  readonly settings: NetworkDeps['settings'] & { readonly genesisHash: string | undefined };
}

/** What an integrator must keep to, for machines. */
export const getIntegrationRules = defineRoute({
  id: 'getIntegrationRules',
  base: '/api/v1',
  path: '/integration/rules',
  methods: ['get'],
  tag: 'integration',
  summary: 'Rules of deposits, withdrawals and node paths A, B and C, with the figures and addresses of this chain',
  section: '4.14',
  params: z.object({}),
  query: z.object({}),
  response: Rules,
  errors: ['store_unavailable'],
  maxAgeSeconds: 60,
  example: '/integration/rules',
  handle: async ({ settings, database }: RulesDeps) => {
    const { network } = settings;
    const [identity] = await database.read('chain_identity');
    const edge = network.rpcUrls[0].replace(/\/$/, '');
    return {
      chainId: `0x${settings.chainId.toString(16)}`,
      coin: { symbol: network.nativeCurrency.symbol, decimals: network.nativeCurrency.decimals, tokenContract: null },
      genesisHash: settings.genesisHash ?? identity?.genesis_hash ?? null,
      requiredConfirmations: 20,
      maxPageSize: 200,
      maxReadPoolLagBlocks: { ok: okLagBlocks, degraded: degradedLagBlocks },
      endpoints: {
        writer: edge,
        readPool: `${edge}/v1/read`,
        upstreamsStatus: `${edge}/v1/fleet-status`,
        explorer: network.explorerUrls[0],
      },
      nodePaths,
      forbidden,
      deposit,
      withdrawal,
    };
  },
});
