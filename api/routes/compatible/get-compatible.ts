/** The block-explorer-compatible query interface: `?module=…&action=…`, field names and texts as its clients expect them. */
import { z } from 'zod';
import { defineRoute } from '../../define-route.ts';
import { ApiProblem } from '../../errors.ts';
import { accountBalance } from './account-balance.ts';
import { accountTxlist } from './account-txlist.ts';
import { type CompatibleAction, CompatibleError } from './compatible-action.ts';

const actions: Record<string, Record<string, CompatibleAction>> = {
  account: { txlist: accountTxlist, balance: accountBalance },
};

/** status "1" with a result, or "0" with the reason; always HTTP 200. */
const Envelope = z
  .strictObject({ status: z.enum(['0', '1']), message: z.string(), result: z.unknown() })
  .meta({ id: 'CompatibleReply' });

/** @source specification 4.10 */
export const getCompatible = defineRoute({
  id: 'getCompatible',
  base: '',
  path: '/api',
  methods: ['get', 'post'],
  tag: 'compatible',
  summary: 'Block-explorer-compatible queries: module=account, action=txlist or balance',
  section: '4.10',
  params: z.object({}),
  query: z
    .record(z.string(), z.string())
    .meta({ description: 'Parameter names in any case; form bodies too, the query wins' }),
  response: Envelope,
  errors: [],
  maxAgeSeconds: 0,
  example: '/api?module=account&action=balance&address={account}',
  handle: async (deps, { query }) => {
    const parameters = new Map(Object.entries(query).map(([name, value]) => [name.toLowerCase(), value]));
    const module = actions[(parameters.get('module') ?? '').toLowerCase()];
    const action = module?.[(parameters.get('action') ?? '').toLowerCase()];
    try {
      const chainId = parameters.get('chainid');
      if (chainId !== undefined && chainId !== String(deps.settings.chainId)) {
        throw new CompatibleError(
          'Missing or unsupported chainid parameter (required for v2 api), please see chainlist for the list of supported chainids',
        );
      }
      if (!module) throw new CompatibleError('Error! Missing Or invalid Module name');
      if (!action) throw new CompatibleError('Error! Missing Or invalid Action name');
      return { status: '1' as const, message: 'OK', result: await action(deps, parameters) };
    } catch (error) {
      if (error instanceof CompatibleError) return error.reply;
      if (!(error instanceof ApiProblem)) throw error;
      const result = 'Unexpected err, timeout occurred or server too busy. Please try again later';
      return { status: '0' as const, message: 'NOTOK', result };
    }
  },
});
