/** The withdrawal watch. @source specification 4.14, conventions M9 */
import { z } from 'zod';
import { isAddress, isHash } from '#chain/codec/hex.ts';
import { isoTimeOfMs } from '#chain/codec/iso-time.ts';
import { defineRoute } from '../../define-route.ts';
import { requiredConfirmations } from '../../deposits/rules.ts';
import {
  type Broadcast,
  broadcast,
  findWithdrawal,
  readRaw,
  rivalsOf,
  standingOf,
  storeWithdrawal,
  type Withdrawal,
} from '../../deposits/withdrawals.ts';
import type { ApiDeps } from '../../deps.ts';
import { ApiProblem } from '../../errors.ts';
import { indexInfo } from '../../freshness.ts';
import { Count, HexAddress, HexHash, IndexInfo, IsoTime, TxHash } from '../../schema/primitives.ts';

const Reply = z
  .strictObject({
    hash: HexHash,
    sender: HexAddress,
    nonce: Count,
    state: z.enum(['pending', 'mined', 'complete', 'replaced', 'dropped', 'failed', 'unknown']),
    confirmations: Count,
    required: Count,
    blockNumber: Count.nullable(),
    blockHash: HexHash.nullable(),
    replacedBy: HexHash.nullable(),
    createdAt: IsoTime,
    lastBroadcastAt: IsoTime.nullable(),
    broadcast: z
      .enum(['accepted', 'alreadyKnown', 'unknown', 'refused', 'none'])
      .meta({ description: 'Of this request. unknown: send the same bytes again, never a new signature' }),
    lastAnswer: z.string().meta({ description: 'What the writer said to the last broadcast' }),
    index: IndexInfo,
  })
  .meta({ id: 'Withdrawal' });

const Body = z.union(
  [
    z.strictObject({ raw: z.string().regex(/^0x([0-9a-fA-F]{2}){1,131072}$/), broadcast: z.boolean().default(true) }),
    z.strictObject({
      hash: z.string().refine(isHash).toLowerCase(),
      sender: z.string().refine(isAddress).toLowerCase(),
      nonce: z.number().int().min(0),
    }),
  ],
  'must be {"raw": "0x…", "broadcast": true}, or {"hash", "sender", "nonce"}',
);

const maxBytes = 300 * 1024;

function replyOf(deps: ApiDeps, one: Withdrawal, outcome: Broadcast | 'none') {
  return deps.snapshots.run(async (state) => ({
    ...{ hash: one.hash, sender: one.sender, nonce: one.nonce, required: requiredConfirmations },
    ...(await standingOf(deps, state, one)),
    ...{
      createdAt: isoTimeOfMs(one.createdMs),
      lastBroadcastAt: one.broadcastMs === 0 ? null : isoTimeOfMs(one.broadcastMs),
    },
    ...{ broadcast: outcome, lastAnswer: one.broadcast, index: indexInfo(deps, state) },
  }));
}

export const postWithdrawal = defineRoute({
  id: 'postWithdrawal',
  base: '/api/v1',
  path: '/withdrawals',
  methods: ['post'],
  tag: 'withdrawals',
  summary:
    'Watches a withdrawal: raw bytes, which are kept before they are sent to the writer, or hash, sender and nonce. The same one again changes nothing. Refused while another hash of the same sender and nonce is waited for',
  section: '4.14',
  params: z.object({}),
  query: z.object({}),
  body: {
    ...{ schema: Body, maxBytes },
    example: { hash: '{transaction}', sender: '{account}', nonce: 1_000_000 },
  },
  response: Reply,
  errors: ['bad_query', 'payload_too_large', 'withdrawal_conflict', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: '/withdrawals',
  handle: async (deps, { body }) => {
    const told = 'raw' in body ? readRaw(body.raw, deps.settings.chainId) : { ...body, raw: null };
    const found = await findWithdrawal(deps, told.hash);
    const one = joined(found, told);
    if (one.sender !== told.sender || one.nonce !== told.nonce)
      throw new ApiProblem('withdrawal_conflict', 'this hash was told with another sender or nonce');
    await refuseRivals(deps, one);
    await storeWithdrawal(deps, one); // before it is sent: what is on its way is never unknown
    if (!('raw' in body) || !body.broadcast) return replyOf(deps, one, 'none');
    const { outcome, withdrawal } = await broadcast(deps, one);
    return replyOf(deps, withdrawal, outcome);
  },
});

/** What is signed outweighs what anybody may have said of it. */
function joined(
  found: Withdrawal | undefined,
  told: Pick<Withdrawal, 'hash' | 'sender' | 'nonce' | 'raw'>,
): Withdrawal {
  if (!found) return { ...told, createdMs: Date.now(), broadcastMs: 0, broadcast: '' };
  return told.raw === null ? found : { ...found, ...told };
}

/** @throws ApiProblem withdrawal_conflict while another transaction with this nonce may still be mined */
async function refuseRivals(deps: ApiDeps, one: Withdrawal): Promise<void> {
  for (const hash of await rivalsOf(deps, one)) {
    const rival = await findWithdrawal(deps, hash);
    if (!rival?.raw) continue; // not signed: anybody may have told it
    const { state } = await deps.snapshots.run((snapshot) => standingOf(deps, snapshot, rival));
    if (!['replaced', 'complete', 'failed'].includes(state))
      throw new ApiProblem(
        'withdrawal_conflict',
        `${hash} with the same sender and nonce is ${state}: its own bytes are to be sent again`,
        { hash, state },
      );
  }
}

async function requireWithdrawal(deps: ApiDeps, hash: string): Promise<Withdrawal> {
  const one = await findWithdrawal(deps, hash);
  if (!one) throw new ApiProblem('not_found', `nobody told of withdrawal ${hash}`);
  return one;
}

export const getWithdrawal = defineRoute({
  id: 'getWithdrawal',
  base: '/api/v1',
  path: '/withdrawals/:hash',
  methods: ['get'],
  tag: 'withdrawals',
  summary:
    'How a withdrawal stands: pending, mined, complete (20 confirmations), failed, replaced by another one of its nonce, or dropped',
  section: '4.14',
  params: z.object({ hash: TxHash }),
  query: z.object({}),
  response: Reply,
  errors: ['bad_query', 'not_found', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: '/withdrawals/{withdrawal}',
  handle: async (deps, { params }) => replyOf(deps, await requireWithdrawal(deps, params.hash), 'none'),
});

export const rebroadcastWithdrawal = defineRoute({
  id: 'rebroadcastWithdrawal',
  base: '/api/v1',
  path: '/withdrawals/:hash/rebroadcast',
  methods: ['post'],
  tag: 'withdrawals',
  summary: 'Sends the same bytes to the writer again; a body with other bytes is refused',
  section: '4.14',
  params: z.object({ hash: TxHash }),
  query: z.object({}),
  body: { schema: z.string(), maxBytes, isRaw: true, example: {} },
  response: Reply,
  errors: ['bad_query', 'not_found', 'withdrawal_conflict', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: '/withdrawals/{withdrawal}/rebroadcast',
  handle: async (deps, { params, body }) => {
    const one = await requireWithdrawal(deps, params.hash);
    const given = rawOf(body);
    const told = given === undefined ? undefined : readRaw(given, deps.settings.chainId);
    if (told && told.hash !== one.hash)
      throw new ApiProblem(
        'withdrawal_conflict',
        'these bytes are another transaction: only the same ones are sent again',
      );
    const signed = told ? joined(one, told) : one;
    if (!signed.raw)
      throw new ApiProblem('withdrawal_conflict', 'the bytes of this withdrawal were never told: send {"raw": "0x…"}');
    await refuseRivals(deps, signed);
    await storeWithdrawal(deps, signed); // before it is sent
    const { outcome, withdrawal } = await broadcast(deps, signed);
    return replyOf(deps, withdrawal, outcome);
  },
});

/** @throws ApiProblem bad_query where there is a body that is no {"raw": …} */
function rawOf(body: string): string | undefined {
  if (body.trim() === '') return undefined;
  try {
    const { raw } = JSON.parse(body) as { raw?: string };
    return raw;
  } catch {
    throw new ApiProblem('bad_query', 'the body is empty or {"raw": "0x…"}');
  }
}
