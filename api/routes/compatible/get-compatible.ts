/** The block-explorer-compatible query interface: `?module=…&action=…`, field names and texts as its clients expect them. */
import { z } from 'zod';
import { type ChainState, reliableHead } from '#sql/snapshot.ts';
import { CompatibleError, type CompatibleRequest, EmptyAnswer, PlainText } from '../../compatible/action.ts';
import { type ActionDeps, actions } from '../../compatible/actions.ts';
import { assertWhole } from '../../compatible/covered.ts';
import { askNode, NodeReply } from '../../compatible/proxy.ts';
import { defineRoute } from '../../http/define-route.ts';
import { HeadedReply, OtherReply } from '../../http/reply.ts';
import { chainHead } from '../../read/chain/freshness.ts';
import type { Snapshots } from '../../read/chain/snapshot-reader.ts';
import type { ChainDeps, NodeDeps, SnapshotDeps, StateDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';

/** status "1" with a result, or "0" with the reason; always HTTP 200. module=proxy answers as the node does. */
const Envelope = z
  .union([
    z.strictObject({ status: z.enum(['0', '1']), message: z.string(), result: z.unknown() }),
    z.strictObject({ jsonrpc: z.literal('2.0'), id: z.union([z.number(), z.string()]), result: z.unknown() }),
    z.strictObject({
      jsonrpc: z.literal('2.0'),
      id: z.number(),
      error: z.looseObject({ code: z.number(), message: z.string() }),
    }),
  ])
  .meta({ id: 'CompatibleReply' });

type EnvelopeDeps = ActionDeps & ChainDeps & Pick<StateDeps, 'log'>;
type EnvelopeRequest = CompatibleRequest<EnvelopeDeps>;

type Envelope = z.input<typeof Envelope>;

/** @source specification 4.10 */
export const getCompatible = defineRoute({
  id: 'getCompatible',
  base: '',
  path: '/api',
  methods: ['get', 'post'],
  tag: 'compatible',
  summary: `Block-explorer-compatible queries by module (${Object.keys(actions).join(', ')}, proxy) and action: docs/compatible.md lists all. Lists go on beyond page and offset by the header X-Next-Cursor and the parameter cursor`,
  section: '4.10',
  params: z.object({}),
  query: z
    .record(z.string(), z.string())
    .meta({ description: 'Parameter names in any case; form bodies too, the query wins' }),
  response: Envelope,
  errors: [],
  maxAgeSeconds: 0,
  example: '/api?module=account&action=balance&address={account}',
  handle: async (deps: EnvelopeDeps, { query, standing }) => {
    const parameters = new Map(Object.entries(query).map(([name, value]) => [name.toLowerCase(), value]));
    const snapshots = new NotingSnapshots(deps.snapshots);
    const proof = { isCovered: false };
    const request = { deps: { ...deps, snapshots }, parameters, headers: {}, proof, standing };
    const reply = await envelope(request, snapshots);
    if (reply instanceof PlainText)
      return new OtherReply('text/plain; charset=utf-8', reply.text, await headHeaders(deps, snapshots));
    return new HeadedReply(reply, { ...request.headers, ...(await headHeaders(deps, snapshots)) });
  },
});

/** The same where clients of chains with many networks look for it. */
export const getCompatibleV2 = defineRoute({ ...getCompatible, id: 'getCompatibleV2', path: '/v2/api' });

/** The same beside the versioned interface, as Blockscout answers it; paths below it are not touched. */
export const getCompatibleV1 = defineRoute({ ...getCompatible, id: 'getCompatibleV1', path: '/api/v1' });

/** Notes the state that the reply is made of: of several the one that reaches least. */
class NotingSnapshots implements Snapshots {
  state: ChainState | undefined;
  readonly snapshots: Snapshots;

  constructor(snapshots: Snapshots) {
    this.snapshots = snapshots;
  }

  get lastHead() {
    return this.snapshots.lastHead;
  }

  get lastVersion() {
    return this.snapshots.lastVersion;
  }

  current() {
    return this.snapshots.current();
  }

  isStill(version: number) {
    return this.snapshots.isStill(version);
  }

  async run<T>(read: (state: ChainState) => Promise<T>): Promise<T> {
    let used: ChainState | undefined;
    const noting = (state: ChainState) => {
      used = state;
      return read(state);
    };
    try {
      return await this.snapshots.run(noting);
    } finally {
      if (used && (!this.state || used.head < this.state.head)) this.state = used;
    }
  }
}

/** How far the reply reaches, and how far the chain does; nothing where the database does not answer. */
async function headHeaders(
  deps: SnapshotDeps & NodeDeps,
  { state: used }: NotingSnapshots,
): Promise<Record<string, string>> {
  const state = used ?? (await deps.snapshots.current().catch(() => undefined));
  if (!state) return {};
  return {
    'X-Index-From': String(state.startBlock),
    'X-Index-Head': String(reliableHead(state)),
    'X-Chain-Head': String(chainHead(deps, state)),
  };
}

async function envelope(request: EnvelopeRequest, snapshots: NotingSnapshots): Promise<Envelope | PlainText> {
  try {
    return await answer(request);
  } catch (error) {
    // "nothing is there" is said only where the index has every block that it may be in
    const { state } = snapshots;
    const isUnproven = error instanceof EmptyAnswer && !request.proof.isCovered && state !== undefined;
    return refusalOf(request, isUnproven ? gapOf(request, state, error) : error);
  }
}

function gapOf({ deps }: EnvelopeRequest, state: ChainState, empty: EmptyAnswer): unknown {
  try {
    assertWhole(deps, state);
    return empty;
  } catch (error) {
    return error;
  }
}

async function answer(request: EnvelopeRequest): Promise<Envelope | PlainText> {
  const result = await run(request);
  if (result instanceof PlainText) return result;
  return result instanceof NodeReply ? (result.body as Envelope) : { status: '1', message: 'OK', result };
}

function refusalOf(request: EnvelopeRequest, error: unknown): Envelope {
  if (error instanceof CompatibleError) return error.reply;
  if (error instanceof ApiProblem && (error.status < 500 || error.code === 'indexing'))
    return { status: '0', message: 'NOTOK', result: `Error! ${error.detail}` };
  if (error instanceof ApiProblem && error.code === 'node_unavailable')
    return { status: '0', message: 'NOTOK', result: `Error! ${error.detail}. Please try again later` };
  if (!(error instanceof ApiProblem)) request.deps.log.error({ event: 'compatible_failed', error: String(error) });
  return {
    status: '0',
    message: 'NOTOK',
    result: 'Unexpected err, timeout occurred or server too busy. Please try again later',
  };
}

function run(request: EnvelopeRequest): Promise<unknown> {
  const { deps, parameters } = request;
  const named = (name: string) => (parameters.get(name) ?? '').trim().toLowerCase();
  const [module, action] = [named('module'), named('action')];
  const chainId = parameters.get('chainid');
  if (chainId && chainId !== String(deps.settings.chainId)) {
    throw new CompatibleError(
      'Missing or unsupported chainid parameter (required for v2 api), please see chainlist for the list of supported chainids',
    );
  }
  if (module === 'proxy') return askNode(action, request);
  const own = Object.hasOwn(actions, module) ? actions[module] : undefined;
  if (!own) throw new CompatibleError('Error! Missing Or invalid Module name');
  const answerTo = Object.hasOwn(own, action) ? own[action] : undefined;
  if (!answerTo) throw new CompatibleError('Error! Missing Or invalid Action name');
  return answerTo(request);
}
