/** The withdrawal watch. @source specification 4.14, conventions M9 */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { isAddress, isHash } from '#chain/codec/hex.ts';
import { isoTimeOfMs } from '#chain/codec/iso-time.ts';
import { defineRoute } from '../../http/define-route.ts';
import { indexInfo } from '../../read/chain/freshness.ts';
import { requiredConfirmations } from '../../read/deposits/rules.ts';
import {
  type Broadcast,
  broadcast,
  claimNonce,
  claimUnsent,
  refuseRivals,
} from '../../read/deposits/send-withdrawal.ts';
import {
  expiryOf,
  findWithdrawal,
  isSeen,
  noteWithdrawal,
  readRaw,
  standingOf,
  storeWithdrawal,
  type Withdrawal,
  type WithdrawalDeps,
} from '../../read/deposits/withdrawals.ts';
import type { Identity } from '../../read/identity/access.ts';
import type { ChainDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Count, HexAddress, HexHash, IndexInfo, IsoTime, TxHash } from '../../terms/primitives.ts';

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
    capability: z.string().nullable().meta({
      description:
        'Proves that a withdrawal is yours: returned once, with the first registration of its bytes without a key. Send it as X-Withdrawal-Capability',
    }),
    lastAnswer: z.string().meta({
      description: 'What the writer said to the last broadcast; sending: it is under way, or its answer was never read',
    }),
    expiresAt: IsoTime.nullable().meta({
      description:
        'When its bytes are forgotten unless the network knows them by then: they were never sent from here, or refused each time. Its hash keeps the nonce. null: they are kept, or were never told',
    }),
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
/** What a hash that was told takes. */
const hearsayBytes = 200;

async function replyOf(
  deps: WithdrawalDeps,
  one: Withdrawal,
  outcome: Broadcast | 'none',
  capability: string | null = null,
) {
  const { standing, index } = await deps.snapshots.run(async (state) => ({
    standing: await standingOf(deps, state, one),
    index: indexInfo(deps, state),
  }));
  const isNewlySeen = one.raw !== null && !one.mayBeKnown && isSeen(standing);
  if (isNewlySeen) await noteWithdrawal(deps, { ...one, mayBeKnown: true });
  const expiry = isNewlySeen ? undefined : expiryOf(one);
  return {
    hash: one.hash,
    sender: one.sender,
    nonce: one.nonce,
    required: requiredConfirmations,
    capability,
    ...standing,
    createdAt: isoTimeOfMs(one.createdMs),
    lastBroadcastAt: one.broadcastMs === 0 ? null : isoTimeOfMs(one.broadcastMs),
    expiresAt: expiry === undefined ? null : isoTimeOfMs(expiry),
    broadcast: outcome,
    lastAnswer: one.broadcast,
    index,
  };
}

type SigningDeps = WithdrawalDeps & ChainDeps;

/** Who asks: an identity that a key proved, and a capability that was sent. */
interface Asker {
  readonly identity: Identity | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Counts bytes that are to be kept for it. @throws ApiProblem rate_limited */
  readonly keep: (bytes: number) => Promise<void>;
}

const digestOf = (capability: string) => createHash('sha256').update(capability).digest('hex');

function isOwner({ owner }: Withdrawal, { identity, headers }: Asker): boolean {
  const capability = headers['x-withdrawal-capability'];
  if (owner === '') return false;
  return (identity && owner === `key:${identity.id}`) || (!!capability && owner === digestOf(String(capability)));
}

/** Whose bytes of a hash are; who has proved nothing is given a capability. */
function ownerOf(found: Withdrawal | undefined, identity: Identity | undefined) {
  if (found?.isSigned) return { owner: found.owner, capability: null };
  if (identity) return { owner: `key:${identity.id}`, capability: null };
  const capability = randomBytes(32).toString('hex');
  return { owner: digestOf(capability), capability };
}

/** Registers bytes: stored before they are sent, never in the place of others, and first for their nonce. Forgotten ones keep their owner. */
async function register(deps: SigningDeps, raw: string, { identity, keep }: Asker) {
  const signed = readRaw(raw, deps.settings.chainId);
  const found = await findWithdrawal(deps, signed.hash);
  if (found?.raw) return { one: found, capability: null, isNew: false }; // keccak256(raw) is the hash: these are the bytes stored
  const { owner, capability } = ownerOf(found, identity);
  const fresh = { createdMs: Date.now(), broadcastMs: 0, broadcast: '', owner, mayBeKnown: false, isSigned: true };
  const one = { ...signed, ...fresh, version: found?.version ?? 0 };
  await refuseRivals(deps, one);
  await keep((raw.length - 2) / 2);
  const stored = await storeWithdrawal(deps, one);
  await claimNonce(deps, stored);
  return { one: stored, capability, isNew: true };
}

/** Registers what a caller says of a hash. @throws ApiProblem withdrawal_conflict where the chain or an earlier caller says otherwise */
async function registerHearsay(
  deps: WithdrawalDeps,
  told: { hash: string; sender: string; nonce: number },
  keep: Asker['keep'],
) {
  const found = await findWithdrawal(deps, told.hash);
  const heard = {
    ...told,
    raw: null,
    createdMs: Date.now(),
    broadcastMs: 0,
    broadcast: '',
    owner: '',
    mayBeKnown: true,
    isSigned: false,
    version: 0,
  };
  const one = found ?? heard;
  const shown = await deps.snapshots.run((state) => standingOf(deps, state, one));
  if ((shown.sender ?? one.sender) !== told.sender || (shown.nonce ?? one.nonce) !== told.nonce)
    throw new ApiProblem('withdrawal_conflict', 'this hash belongs to another sender or nonce');
  if (found) return one;
  await keep(hearsayBytes);
  await storeWithdrawal(deps, one);
  return one;
}

export const postWithdrawal = defineRoute({
  id: 'postWithdrawal',
  base: '/api/v1',
  path: '/withdrawals',
  methods: ['post'],
  tag: 'withdrawals',
  summary:
    'Watches a withdrawal: raw bytes, which are stored before they are sent to the writer, or hash, sender and nonce. The same one again changes nothing. Refused while another hash of the same sender and nonce is pending',
  section: '4.14',
  params: z.object({}),
  query: z.object({}),
  body: {
    schema: Body,
    maxBytes,
    example: { hash: '{withdrawal}', sender: '{account}', nonce: 1_000_000 },
  },
  response: Reply,
  errors: ['bad_query', 'payload_too_large', 'withdrawal_conflict', 'rate_limited', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: '/withdrawals',
  handle: async (deps: SigningDeps, { body, identity, headers, keep }) => {
    if (!('raw' in body)) return replyOf(deps, await registerHearsay(deps, body, keep), 'none');
    const { one, capability, isNew } = await register(deps, body.raw, { identity, headers, keep });
    if (!body.broadcast) return replyOf(deps, one, 'none', capability);
    // another request may have stored it a moment ago, and not hold the nonce yet
    if (!isNew && !one.mayBeKnown) await claimUnsent(deps, one);
    const { outcome, withdrawal } = await broadcast(deps, one);
    return replyOf(deps, withdrawal, outcome, capability);
  },
});

async function requireWithdrawal(deps: WithdrawalDeps, hash: string): Promise<Withdrawal> {
  const one = await findWithdrawal(deps, hash);
  if (!one) throw new ApiProblem('not_found', `no withdrawal ${hash} is registered`);
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
  handle: async (deps: WithdrawalDeps, { params }) => replyOf(deps, await requireWithdrawal(deps, params.hash), 'none'),
});

export const rebroadcastWithdrawal = defineRoute({
  id: 'rebroadcastWithdrawal',
  base: '/api/v1',
  path: '/withdrawals/:hash/rebroadcast',
  methods: ['post'],
  tag: 'withdrawals',
  summary:
    'Sends the same bytes to the writer again; a body with other bytes is refused. The first broadcast of stored bytes is their owner’s alone',
  section: '4.14',
  params: z.object({ hash: TxHash }),
  query: z.object({}),
  body: { schema: z.string(), maxBytes, isRaw: true, example: {} },
  response: Reply,
  errors: [
    ...(['bad_query', 'not_found', 'withdrawal_conflict', 'withdrawal_owner_required'] as const),
    ...(['rate_limited', 'indexing', 'store_unavailable'] as const),
  ],
  maxAgeSeconds: 0,
  example: '/withdrawals/{withdrawal}/rebroadcast',
  handle: async (deps: SigningDeps, { params, body, identity, headers, keep }) => {
    const known = await requireWithdrawal(deps, params.hash);
    const given = rawOf(body);
    if (given !== undefined && readRaw(given, deps.settings.chainId).hash !== known.hash)
      throw new ApiProblem(
        'withdrawal_conflict',
        'these bytes are another transaction: only the same ones are sent again',
      );
    const asker = { identity, headers, keep };
    // who has the bytes may send them anywhere; stored bytes that were never sent are their owner's to send
    if (given === undefined && known.raw !== null && known.broadcastMs === 0 && !isOwner(known, asker))
      throw new ApiProblem(
        'withdrawal_owner_required',
        'it was never broadcast: send the key or the capability that it was registered with, or its bytes as {"raw": "0x…"}',
      );
    const { one, capability } =
      given === undefined ? { one: known, capability: null } : await register(deps, given, asker);
    if (!one.raw) throw new ApiProblem('withdrawal_conflict', 'its bytes are not kept here: send {"raw": "0x…"}');
    await claimUnsent(deps, one);
    const { outcome, withdrawal } = await broadcast(deps, one);
    return replyOf(deps, withdrawal, outcome, capability);
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
