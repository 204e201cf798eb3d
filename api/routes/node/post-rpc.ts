import { z } from 'zod';
import { forwardRpc, maxBodyBytes } from '#gateway/forward.ts';
import { getRetryHeaders } from '#gateway/retry-after.ts';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import type { NodeDeps } from '../../read/reader-deps.ts';

const RpcId = z.union([z.string(), z.number(), z.null()]);

const RpcCall = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: RpcId.optional(),
    method: z.string(),
    params: z.array(z.unknown()).optional(),
  })
  .meta({ id: 'RpcCall' });

const RpcReply = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: RpcId,
    result: z.unknown().optional(),
    error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
  })
  .meta({ id: 'RpcReply', description: 'JSON-RPC reply with either a result or an error' });

/**
 * JSON-RPC on the explorer's origin, so that browsers send no CORS preflight request.
 * @source docs/mechanisms.md#nodes-behind-proxy-and-edge
 */
export const postRpc = defineRoute({
  id: 'postRpc',
  base: '',
  path: '/api/rpc',
  methods: ['post'],
  tag: 'node',
  summary: 'Forwards JSON-RPC 2.0 calls and batches to the nodes',
  description:
    'The route accepts eth_*, x_*, net_* and web3_* methods, with any Content-Type, except methods that use accounts of the node, such as eth_sendTransaction and eth_sign. If a read fails, the service tries another node. It sends eth_sendRawTransaction once, only to the writer node.',
  params: z.object({}),
  query: z.object({}),
  body: {
    schema: z.string(),
    maxBytes: maxBodyBytes,
    isRaw: true,
    shown: z.union([RpcCall, z.array(RpcCall)]),
    example: { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] },
  },
  response: z.union([RpcReply, z.array(RpcReply)]),
  errors: ['payload_too_large'],
  hasOwnQueue: true,
  maxAgeSeconds: 0,
  example: '/api/rpc',
  handle: async ({ upstreams }: Pick<NodeDeps, 'upstreams'>, { body, charge, caller, gone }) => {
    const rpcCaller = { name: caller, admits: charge, delivered: gone };
    const { body: sent, status, retryAfterSeconds } = await forwardRpc(upstreams, 'proxy', body, rpcCaller);
    const bytes = typeof sent === 'string' ? Buffer.from(sent) : sent;
    // over a rate limit, charge() has set Retry-After
    const headers = getRetryHeaders(retryAfterSeconds);
    return new OtherReply('application/json', bytes, headers, undefined, status);
  },
});
