/** Etherscan-compatible API (`?module=…&action=…`). Names and messages are those that its clients expect. */
import { z } from 'zod';
import { type ChainState, finalThrough, reliableHead } from '#sql/snapshot.ts';
import { CompatibleError, type CompatibleRequest, EmptyAnswer, PlainText } from '../../compatible/action.ts';
import { type ActionDeps, actions } from '../../compatible/actions.ts';
import { assertFirstBlocks, assertNewest } from '../../compatible/covered.ts';
import { askNode, NodeReply } from '../../compatible/proxy.ts';
import { defineRoute } from '../../http/define-route.ts';
import { asProblem, envelopeText } from '../../http/problem.ts';
import { HeadedReply, OtherReply } from '../../http/reply.ts';
import { chainHead } from '../../read/chain/freshness.ts';
import type { Snapshots } from '../../read/chain/snapshot-reader.ts';
import type { ChainDeps, CoverageDeps, SnapshotDeps, StateDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';

const JsonRpcId = z.union([z.number(), z.string(), z.null()]);

/** Etherscan-compatible reply: status "1" and a result, or "0" and the reason. module=proxy replies in JSON-RPC. */
const Envelope = z
  .union([
    z.strictObject({ status: z.enum(['0', '1']), message: z.string(), result: z.unknown() }),
    z.looseObject({ jsonrpc: z.literal('2.0'), id: JsonRpcId, result: z.unknown() }),
    z.looseObject({
      jsonrpc: z.literal('2.0'),
      id: JsonRpcId,
      error: z.looseObject({ code: z.int(), message: z.string() }),
    }),
  ])
  .meta({ id: 'CompatibleReply' });

/** Names of parameters whose values are accounts. */
const ofAccount = /address(es)?$|^(from|to)$/;

const plainText = 'text/plain; charset=utf-8';

/** Each action accepts further parameters, which the API documentation does not list. */
const CommonParameters = z.object({
  module: z.string().meta({ description: 'Module (a group of actions), case-insensitive' }),
  action: z.string().meta({ description: 'Action of the module, case-insensitive' }),
  address: z
    .string()
    .optional()
    .meta({ description: 'Address; some actions accept several addresses, separated by commas' }),
  contractaddress: z.string().optional().meta({ description: 'Address of a token contract' }),
  txhash: z.string().optional().meta({ description: 'Transaction hash' }),
  startblock: z.string().optional().meta({ description: 'First block of the range' }),
  endblock: z.string().optional().meta({ description: 'Last block of the range' }),
  page: z.string().optional().meta({ description: 'Number of the page, from 1' }),
  offset: z.string().optional().meta({ description: 'Number of rows per page' }),
  sort: z.enum(['asc', 'desc']).optional().meta({ description: 'Order of the rows by block' }),
  cursor: z.string().optional().meta({ description: 'Value of the header X-Next-Cursor of the previous reply' }),
  chainid: z.string().optional().meta({ description: 'Chain id; only the id of the indexed chain is accepted' }),
  apikey: z.string().optional().meta({ description: 'API key; use this parameter or the header X-API-Key' }),
});

type EnvelopeDeps = ActionDeps & ChainDeps & Pick<StateDeps, 'log'>;
type EnvelopeRequest = CompatibleRequest<EnvelopeDeps>;

type Envelope = z.input<typeof Envelope>;

export const getCompatible = defineRoute({
  id: 'getCompatible',
  base: '',
  path: '/api',
  methods: ['get', 'post'],
  tag: 'compatible',
  summary: 'Queries in the format of other block explorers',
  description: `Modules: ${Object.keys(actions).join(', ')} and proxy. To read beyond the limit of page and offset, send the value of the reply header X-Next-Cursor as the parameter cursor.`,
  params: z.object({}),
  query: z.record(z.string(), z.string()).meta({
    description:
      'Parameters of the action; their names are case-insensitive. They may also be sent as a form body; the query takes precedence',
  }),
  shownQuery: CommonParameters,
  response: Envelope,
  mediaTypes: ['application/json', plainText],
  errors: [],
  maxAgeSeconds: 0,
  example: '/api?module=account&action=balance&address={account}',
  handle: async (deps: EnvelopeDeps, { query, standing, caller, address: ip, charge, keep, gone }) => {
    const parameters = new Map<string, string>();
    const ownChain = new RegExp(`\\beip155:${deps.settings.chainId}:(?=0x)`, 'gi'); // for account ids, CAIP-10
    for (const [name, value] of Object.entries(query)) {
      const lower = name.toLowerCase();
      parameters.set(lower, ofAccount.test(lower) ? value.replaceAll(ownChain, '') : value);
    }
    const snapshots = new RecordingSnapshots(deps.snapshots);
    const proof = { isCovered: false };
    const chargeMore = async (cost: number, bytes: number) => {
      if (!(await charge(cost)))
        throw new ApiProblem('rate_limited', `too many requests: this one costs ${cost + 1} requests`);
      if (bytes > 0) await keep(bytes);
    };
    const request = {
      deps: { ...deps, snapshots },
      parameters,
      headers: {},
      proof,
      caller,
      ip,
      gone,
      standing,
      charge: chargeMore,
    };
    const reply = await envelope(request, snapshots);
    if (reply instanceof PlainText) return new OtherReply(plainText, reply.text, await headHeaders(deps, snapshots));
    return new HeadedReply(reply, { ...(await headHeaders(deps, snapshots)), ...request.headers });
  },
});

/** Etherscan-compatible API at the path for clients of several chains. */
export const getCompatibleV2 = defineRoute({ ...getCompatible, id: 'getCompatibleV2', path: '/v2/api' });

export const getCompatibleV1 = defineRoute({ ...getCompatible, id: 'getCompatibleV1', path: '/api/v1' });

/** Records the chain state of a reply; if there were several, the one with the lowest head. */
class RecordingSnapshots implements Snapshots {
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

  fresh() {
    return this.snapshots.fresh();
  }

  isStill(version: number) {
    return this.snapshots.isStill(version);
  }

  async run<T>(read: (state: ChainState) => Promise<T>, options?: Parameters<Snapshots['run']>[1]): Promise<T> {
    let used: ChainState | undefined;
    const recordState = (state: ChainState) => {
      used = state;
      return read(state);
    };
    try {
      return await this.snapshots.run(recordState, options);
    } finally {
      if (used && (!this.state || used.head < this.state.head)) this.state = used;
    }
  }
}

/** Returns headers with first and last indexed block and the newest block; none without the database. */
async function headHeaders(
  deps: SnapshotDeps & CoverageDeps,
  { state: used }: RecordingSnapshots,
): Promise<Record<string, string>> {
  const state = used ?? (await deps.snapshots.current().catch(() => undefined));
  if (!state) return {};
  return {
    'X-Index-From': String(state.startBlock),
    'X-Index-Head': String(reliableHead(state)),
    'X-Final-Head': String(finalThrough(state)),
    'X-Chain-Head': String(chainHead(deps, state)),
  };
}

async function envelope(request: EnvelopeRequest, snapshots: RecordingSnapshots): Promise<Envelope | PlainText> {
  try {
    return await answer(request);
  } catch (error) {
    // report an empty result only if the index is complete, otherwise an error with the missing blocks
    const { state } = snapshots;
    const isUnproven = error instanceof EmptyAnswer && !request.proof.isCovered && state !== undefined;
    return errorEnvelope(request, isUnproven ? checkComplete(request, state, error) : error);
  }
}

function checkComplete({ deps }: EnvelopeRequest, state: ChainState, empty: EmptyAnswer): unknown {
  try {
    assertNewest(deps, state, state.startBlock);
    assertFirstBlocks(state, empty.message);
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

function errorEnvelope(request: EnvelopeRequest, error: unknown): Envelope {
  if (error instanceof CompatibleError) return error.reply;
  const { status, code, detail } = asProblem(error);
  if (status < 500 || code === 'indexing')
    return { status: '0', message: 'NOTOK', result: envelopeText({ code, detail }) };
  if (code === 'node_unavailable')
    return { status: '0', message: 'NOTOK', result: `Error! ${detail}. Please try again later` };
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
  const handle = Object.hasOwn(own, action) ? own[action] : undefined;
  if (!handle) throw new CompatibleError('Error! Missing Or invalid Action name');
  return handle(request);
}
