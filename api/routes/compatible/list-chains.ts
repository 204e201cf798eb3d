import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import type { NetworkDeps } from '../../terms/network.ts';

const Chain = z.strictObject({
  chainname: z.string(),
  chainid: z.string(),
  blockexplorer: z.string(),
  apiurl: z.string(),
  status: z.int(),
  comment: z.string(),
});

export const listChains = defineRoute({
  id: 'listChains',
  base: '',
  path: '/v2/chainlist',
  methods: ['get'],
  tag: 'compatible',
  summary: 'The chain that this service indexes',
  description: 'The reply has the format of the Etherscan-compatible interface.',
  params: z.object({}),
  query: z.object({}),
  response: z
    .strictObject({ comments: z.string(), totalcount: z.int(), result: z.array(Chain) })
    .meta({ id: 'ChainList' }),
  errors: [],
  maxAgeSeconds: 3_600,
  example: '/v2/chainlist',
  handle: async ({ settings: { chainId, network } }: NetworkDeps) => {
    const explorer = network.explorerUrls[0];
    const chain = { chainname: network.chainName, chainid: String(chainId), blockexplorer: explorer };
    return {
      comments: 'This service supports only one chain; the parameter chainid is optional',
      totalcount: 1,
      result: [{ ...chain, apiurl: `${explorer}/v2/api?chainid=${chainId}`, status: 1, comment: '' }],
    };
  },
});
