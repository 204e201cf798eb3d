/** @source docs/withdrawals.md#or-write-your-own */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { isAddress, isHash } from '#chain/codec/hex.ts';
import { isoTimeFromMs } from '#chain/codec/iso-time.ts';
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
  findWithdrawal,
  getExpiry,
  isSeen,
  noteWithdrawal,
  readRaw,
  readWithdrawalState,
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
    broadcast: z.enum(['accepted', 'alreadyKnown', 'unknown', 'refused', 'none']).meta({
      description:
        'Reply of the writer node when this request sent the transaction. none: this request sent nothing. unknown: send the same bytes again, never a newly signed transaction',
    }),
    capability: z.string().nullable().meta({
      description:
        'Secret that proves that you own the withdrawal: send it in the header X-Withdrawal-Capability. It is returned once, when the signed transaction is first registered without credentials',
    }),
    lastAnswer: z.string().meta({
      description:
        'Last reply of the writer node (which receives transactions) to the transaction. The value sending means: no reply yet, or the reply was lost',
    }),
    expiresAt: IsoTime.nullable().meta({
      description:
        'Time at which the service deletes the signed transaction, if the network does not have it by then; the hash is kept. null if it will not be deleted, or if only its hash was sent',
    }),
    index: IndexInfo,
  })
  .meta({ id: 'Withdrawal' });

const Raw = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2}){1,131072}$/)
  .meta({ description: 'Signed transaction of the withdrawal, hex' });

const Ownership = z.object({
  'X-Withdrawal-Capability': z.string().optional().meta({
    description:
      'Value of the field capability in the reply to the registration. Needed if you registered the withdrawal without credentials',
  }),
});

const Body = z.union(
  [
    z.strictObject({ raw: Raw, broadcast: z.boolean().default(true) }),
    z.strictObject({
      hash: z.string().refine(isHash).toLowerCase(),
      sender: z.string().refine(isAddress).toLowerCase(),
      nonce: z.number().int().min(0),
    }),
  ],
  'must be {"raw": "0x…", "broadcast": true}, or {"hash", "sender", "nonce"}',
);

const maxBytes = 300 * 1024;
/** Stored bytes of a withdrawal without signed bytes. */
const hashEntryBytes = 200;

async function toReply(
  deps: WithdrawalDeps,
  one: Withdrawal,
  outcome: Broadcast | 'none',
  capability: string | null = null,
) {
  const { standing, index } = await deps.snapshots.run(async (state) => ({
    standing: await readWithdrawalState(deps, state, one),
    index: indexInfo(deps, state),
  }));
  const isNewlySeen = one.raw !== null && !one.mayBeKnown && isSeen(standing);
  if (isNewlySeen) await noteWithdrawal(deps, { ...one, mayBeKnown: true });
  const expiry = isNewlySeen ? undefined : getExpiry(one);
  return {
    hash: one.hash,
    sender: one.sender,
    nonce: one.nonce,
    required: requiredConfirmations,
    capability,
    ...standing,
    createdAt: isoTimeFromMs(one.createdMs),
    lastBroadcastAt: one.broadcastMs === 0 ? null : isoTimeFromMs(one.broadcastMs),
    expiresAt: expiry === undefined ? null : isoTimeFromMs(expiry),
    broadcast: outcome,
    lastAnswer: one.broadcast,
    index,
  };
}

type SigningDeps = WithdrawalDeps & ChainDeps;

interface Requester {
  readonly identity: Identity | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly keep: (bytes: number) => Promise<void>;
}

const computeDigest = (capability: string) => createHash('sha256').update(capability).digest('hex');

function isOwner({ owner }: Withdrawal, { identity, headers }: Requester): boolean {
  const capability = headers['x-withdrawal-capability'];
  if (owner === '') return false;
  return (identity && owner === `key:${identity.id}`) || (!!capability && owner === computeDigest(String(capability)));
}

/** Finds the owner even if the signed bytes were deleted. Creates an owner for a new withdrawal. */
function assignOwner(found: Withdrawal | undefined, identity: Identity | undefined) {
  if (found?.isSigned) return { owner: found.owner, capability: null };
  if (identity) return { owner: `key:${identity.id}`, capability: null };
  const capability = randomBytes(32).toString('hex');
  return { owner: computeDigest(capability), capability };
}

/** Stores a signed transaction and reserves its nonce before sending it. @throws ApiProblem withdrawal_conflict */
async function register(deps: SigningDeps, raw: string, { identity, keep }: Requester) {
  const signed = readRaw(raw, deps.settings.chainId);
  const found = await findWithdrawal(deps, signed.hash);
  if (found?.raw) return { one: found, capability: null, isNew: false };
  const { owner, capability } = assignOwner(found, identity);
  const fresh = { createdMs: Date.now(), broadcastMs: 0, broadcast: '', owner, mayBeKnown: false, isSigned: true };
  const one = { ...signed, ...fresh, version: found?.version ?? 0 };
  await refuseRivals(deps, one);
  await keep((raw.length - 2) / 2);
  const stored = await storeWithdrawal(deps, one);
  await claimNonce(deps, stored);
  return { one: stored, capability, isNew: true };
}

/** Registers hash, sender and nonce without proof. @throws ApiProblem withdrawal_conflict if stored values differ */
async function registerHash(
  deps: WithdrawalDeps,
  claimed: { hash: string; sender: string; nonce: number },
  keep: Requester['keep'],
) {
  const found = await findWithdrawal(deps, claimed.hash);
  const created = {
    ...claimed,
    raw: null,
    createdMs: Date.now(),
    broadcastMs: 0,
    broadcast: '',
    owner: '',
    mayBeKnown: true,
    isSigned: false,
    version: 0,
  };
  const one = found ?? created;
  const shown = await deps.snapshots.run((state) => readWithdrawalState(deps, state, one));
  if ((shown.sender ?? one.sender) !== claimed.sender || (shown.nonce ?? one.nonce) !== claimed.nonce)
    throw new ApiProblem('withdrawal_conflict', 'this hash is registered with another sender or nonce');
  if (found) return one;
  await keep(hashEntryBytes);
  await storeWithdrawal(deps, one);
  return one;
}

export const postWithdrawal = defineRoute({
  id: 'postWithdrawal',
  base: '/api/v1',
  path: '/withdrawals',
  methods: ['post'],
  tag: 'withdrawals',
  summary: 'Registers a withdrawal',
  description:
    'Send either the signed transaction, or only its hash, sender and nonce. The service stores a signed transaction and sends it to the writer node. You can repeat the request safely. A signed transaction is rejected while another one with the same sender and nonce can still be mined.',
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
    if (!('raw' in body)) return toReply(deps, await registerHash(deps, body, keep), 'none');
    const { one, capability, isNew } = await register(deps, body.raw, { identity, headers, keep });
    if (!body.broadcast) return toReply(deps, one, 'none', capability);
    // a concurrent request may have stored the transaction without reserving its nonce yet
    if (!isNew && !one.mayBeKnown) await claimUnsent(deps, one);
    const { outcome, withdrawal } = await broadcast(deps, one);
    return toReply(deps, withdrawal, outcome, capability);
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
  summary: 'State of a withdrawal',
  description: 'State complete: success and 20 confirmations. State replaced: another transaction used the nonce.',
  params: z.object({ hash: TxHash }),
  query: z.object({}),
  response: Reply,
  errors: ['bad_query', 'not_found', 'indexing', 'store_unavailable'],
  maxAgeSeconds: 0,
  example: '/withdrawals/{withdrawal}',
  handle: async (deps: WithdrawalDeps, { params }) => toReply(deps, await requireWithdrawal(deps, params.hash), 'none'),
});

export const rebroadcastWithdrawal = defineRoute({
  id: 'rebroadcastWithdrawal',
  base: '/api/v1',
  path: '/withdrawals/:hash/rebroadcast',
  methods: ['post'],
  tag: 'withdrawals',
  summary: 'Sends the registered transaction to the writer node again',
  description:
    'A request without a body sends the stored transaction. Only the owner of the withdrawal can send it for the first time.',
  params: z.object({ hash: TxHash }),
  query: z.object({}),
  headers: Ownership,
  body: {
    schema: z.string(),
    shown: z.strictObject({ raw: Raw.optional() }),
    maxBytes,
    isRaw: true,
    mayBeAbsent: true,
    example: {},
  },
  response: Reply,
  errors: [
    ...(['bad_query', 'not_found', 'withdrawal_conflict', 'withdrawal_owner_required'] as const),
    ...(['rate_limited', 'indexing', 'store_unavailable'] as const),
  ],
  maxAgeSeconds: 0,
  example: '/withdrawals/{withdrawal}/rebroadcast',
  handle: async (deps: SigningDeps, { params, body, identity, headers, keep }) => {
    const known = await requireWithdrawal(deps, params.hash);
    const given = parseRaw(body);
    if (given !== undefined && readRaw(given, deps.settings.chainId).hash !== known.hash)
      throw new ApiProblem('withdrawal_conflict', 'raw is another transaction: send the registered signed bytes');
    const requester = { identity, headers, keep };
    // only stored bytes need their owner: a caller who has the signed bytes could also send them to another node
    if (given === undefined && known.raw !== null && known.broadcastMs === 0 && !isOwner(known, requester))
      throw new ApiProblem(
        'withdrawal_owner_required',
        'the transaction of this withdrawal was never sent: send the credentials or the capability of its registration, or its bytes as {"raw": "0x…"}',
      );
    const { one, capability } =
      given === undefined ? { one: known, capability: null } : await register(deps, given, requester);
    if (!one.raw) throw new ApiProblem('withdrawal_conflict', 'the signed bytes are not stored: send {"raw": "0x…"}');
    await claimUnsent(deps, one);
    const { outcome, withdrawal } = await broadcast(deps, one);
    return toReply(deps, withdrawal, outcome, capability);
  },
});

function parseRaw(body: string): string | undefined {
  if (body.trim() === '') return undefined;
  try {
    const { raw } = JSON.parse(body) as { raw?: string };
    return raw;
  } catch {
    throw new ApiProblem('bad_query', 'the body must be empty or {"raw": "0x…"}');
  }
}
