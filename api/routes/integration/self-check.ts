import { z } from 'zod';
import { isoTimeFromMs } from '#chain/codec/iso-time.ts';
import { anywhere, type Cache } from '../../cache/cache.ts';
import { defineRoute } from '../../http/define-route.ts';
import { checkNode, listNodes, type NodeCheck, type SelfCheckDeps } from '../../read/integration/self-check.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { IsoTime } from '../../terms/primitives.ts';

const Check = z.strictObject({
  name: z.enum(['chainId', 'genesisHash', 'headLag', 'indexedBlock', 'receipts']),
  passed: z.boolean(),
  expected: z.string(),
  actual: z.string(),
});

interface CachedChecks {
  readonly selfChecks: Cache<{ readonly at: number; readonly checks: readonly NodeCheck[] }>;
}

/** @source docs/integration.md#check-the-node */
export const getSelfCheck = defineRoute({
  id: 'getSelfCheck',
  base: '/api/v1',
  path: '/integration/self-check',
  methods: ['get'],
  tag: 'integration',
  summary: 'Checks a node that this service uses',
  description:
    'Checks the chain id and genesis block of the node, its lag, and whether it agrees with the index. To check your own node, run cordscan integrator check.',
  params: z.object({}),
  query: z.object({
    node: z.string().max(64).default('writer').meta({
      description:
        'Node to check: writer (default: the node that receives transactions), or read-0, read-1, … for a node of the read pool',
      example: 'writer',
    }),
  }),
  response: z
    .strictObject({
      node: z.string(),
      checkedAt: IsoTime,
      passed: z.boolean(),
      checks: z.array(Check),
      nodes: z.array(z.string()),
    })
    .meta({ id: 'SelfCheck' }),
  errors: ['bad_query', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 3,
  example: '/integration/self-check?node=writer',
  handle: async (deps: SelfCheckDeps & CachedChecks, { query: { node } }) => {
    const nodes = listNodes(deps);
    const upstream = nodes.get(node);
    const names = [...nodes.keys()];
    if (!upstream) throw new ApiProblem('bad_query', `node must be one of ${names.join(', ')}`, { allowed: names });
    const { at, checks } = await deps.selfChecks.of(node, anywhere, async () => ({
      at: Date.now(),
      checks: await checkNode(deps, upstream),
    }));
    const passed = checks.every((check) => check.passed);
    return { node, checkedAt: isoTimeFromMs(at), passed, checks: [...checks], nodes: names };
  },
});
