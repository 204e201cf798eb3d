/** The block-explorer-compatible query interface: `?module=…&action=…`, field names and texts as its clients expect them. */
import { z } from 'zod';
import { type CompatibleAction, CompatibleError, type CompatibleRequest } from '../../compatible/action.ts';
import { actions } from '../../compatible/actions.ts';
import { askNode, NodeReply } from '../../compatible/proxy.ts';
import { defineRoute } from '../../define-route.ts';
import { ApiProblem } from '../../errors.ts';
import { OtherReply } from '../../reply.ts';

/** status "1" with a result, or "0" with the reason; always HTTP 200. module=proxy answers as the node does. */
const Envelope = z
  .union([
    z.strictObject({ status: z.enum(['0', '1']), message: z.string(), result: z.unknown() }),
    z.strictObject({ jsonrpc: z.literal('2.0'), id: z.number(), result: z.unknown() }),
    z.strictObject({
      jsonrpc: z.literal('2.0'),
      id: z.number(),
      error: z.looseObject({ code: z.number(), message: z.string() }),
    }),
  ])
  .meta({ id: 'CompatibleReply' });

type Envelope = z.input<typeof Envelope>;

const offered = Object.entries(actions)
  .map(([module, names]) => `${module}: ${Object.keys(names).join(', ')}`)
  .join('; ');

/** @source specification 4.10 */
export const getCompatible = defineRoute({
  id: 'getCompatible',
  base: '',
  path: '/api',
  methods: ['get', 'post'],
  tag: 'compatible',
  summary: `Block-explorer-compatible queries by module and action. ${offered}; proxy: eth_*. Lists go on beyond page and offset by the header X-Next-Cursor and the parameter cursor`,
  section: '4.10',
  params: z.object({}),
  query: z
    .record(z.string(), z.string())
    .meta({ description: 'Parameter names in any case; form bodies too, the query wins' }),
  response: Envelope,
  errors: [],
  maxAgeSeconds: 0,
  example: '/api?module=account&action=balance&address={account}',
  handle: async (deps, { query, standing }) => {
    const parameters = new Map(Object.entries(query).map(([name, value]) => [name.toLowerCase(), value]));
    const request = { deps, parameters, headers: {}, standing };
    const reply = await envelope(request);
    if (Object.keys(request.headers).length === 0) return reply;
    return new OtherReply('application/json', JSON.stringify(reply), request.headers);
  },
});

/** The same where clients of chains with many networks look for it. */
export const getCompatibleV2 = defineRoute({ ...getCompatible, id: 'getCompatibleV2', path: '/v2/api' });

/** The same beside the versioned interface, as Blockscout answers it; paths below it are not touched. */
export const getCompatibleV1 = defineRoute({ ...getCompatible, id: 'getCompatibleV1', path: '/api/v1' });

async function envelope(request: CompatibleRequest): Promise<Envelope> {
  try {
    const result = await run(request);
    return result instanceof NodeReply ? (result.body as Envelope) : { status: '1', message: 'OK', result };
  } catch (error) {
    if (error instanceof CompatibleError) return error.reply;
    if (error instanceof ApiProblem && error.status < 500)
      return { status: '0', message: 'NOTOK', result: `Error! ${error.detail}` };
    const result = 'Unexpected err, timeout occurred or server too busy. Please try again later';
    if (!(error instanceof ApiProblem)) request.deps.log.error({ event: 'compatible_failed', error: String(error) });
    return { status: '0', message: 'NOTOK', result };
  }
}

function run(request: CompatibleRequest): ReturnType<CompatibleAction> | Promise<NodeReply> {
  const { deps, parameters } = request;
  const [module, action] = ['module', 'action'].map((name) => (parameters.get(name) ?? '').trim().toLowerCase());
  const chainId = parameters.get('chainid');
  if (chainId && chainId !== String(deps.settings.chainId)) {
    throw new CompatibleError(
      'Missing or unsupported chainid parameter (required for v2 api), please see chainlist for the list of supported chainids',
    );
  }
  if (module === 'proxy') return askNode(action!, request);
  const known = Object.hasOwn(actions, module!) ? actions[module!] : undefined;
  if (!known) throw new CompatibleError('Error! Missing Or invalid Module name');
  if (!Object.hasOwn(known, action!)) throw new CompatibleError('Error! Missing Or invalid Action name');
  return known[action!]!(request);
}
