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
    genesisHash: HexHash.nullable().meta({
      description: 'Hash of block 0 (genesis); null until the first block is indexed',
    }),
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

const check = 'check the node: cordscan integrator check <url>';

/** @source docs/integration.md#ways-to-reach-a-node */
const nodePaths = [
  {
    path: 'A' as const,
    what: 'only the public RPC',
    reads: 'the read pool or the edge',
    writes: 'the writer',
    before: check,
  },
  {
    path: 'B' as const,
    what: 'a node from the deployment console with role RPC or relay, its key registered in the project',
    reads: 'the URL returned by the console',
    writes: 'the writer, never this node',
    before: check,
  },
  {
    path: 'C' as const,
    what: 'a mainnet relay on your own hardware, registered in a console project',
    reads: 'the relay, with writer and read pool as its backend',
    writes: 'the writer',
    before: check,
  },
];

const forbidden = [
  'producing or sealing blocks',
  'using a genesis whose hash differs from the published one',
  'running a separate chain with its own genesis',
  'crediting FAT that the explorer does not show',
];

const deposit = [
  'give each user a separate deposit address: native FAT has no memo',
  'subscribe to new heads, or poll the read pool',
  'in every block, find transactions to a deposit address with value above 0',
  'wait for receipt status 0x1 and blockNumber + 20 <= latest, on the writer or the read pool',
  'check that the explorer shows the same transfer: GET /api/v1/deposits/verdict applies all these rules',
  'credit value / 1e18 FAT, once per transaction; use eth_getBalance only as a sanity check',
];

const withdrawal = [
  'sign an EIP-155 transaction with this chain id',
  'send it only to the writer, with eth_sendRawTransaction',
  'store its hash immediately',
  'poll the receipt; do not sign a second transaction while the first is pending',
  'complete the withdrawal at status 0x1, once the explorer shows it',
  'after a 502 or 504, send the same bytes again, never a newly signed transaction',
  'keep FAT for gas in the hot wallet in addition to the amounts paid out',
];

interface RulesDeps extends StoreDeps {
  readonly settings: NetworkDeps['settings'] & { readonly genesisHash: string | undefined };
}

export const getIntegrationRules = defineRoute({
  id: 'getIntegrationRules',
  base: '/api/v1',
  path: '/integration/rules',
  methods: ['get'],
  tag: 'integration',
  summary: 'Rules for deposits and withdrawals',
  description:
    'The rules describe three ways to connect to a node (paths A, B and C), and contain the parameters of this chain.',
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
