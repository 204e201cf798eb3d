import { bytesPerCost } from '#runtime/budgets/budget.ts';
import { getFirst } from '#runtime/lists.ts';
import { BusyCaller } from './caller-queues.ts';
import { sliceArray } from './json-slices.ts';
import { getTimeout, hasWrite, isFilterMethod, isOffered, isSlow, isWrite, waitsForBlock } from './method-policy.ts';
import { busySeconds } from './retry-after.ts';
import { checkReply } from './rpc-reply.ts';
import { errorText, type RpcCall, RpcRefusal, type RpcRequest, readRpcRequest } from './rpc-request.ts';
import { NodesBehind, type Upstream, UpstreamError } from './upstream.ts';
import type { Upstreams } from './upstreams.ts';

export interface RpcReply {
  readonly status: number;
  readonly body: string | Buffer;
  /** Set if the nodes or the memory are busy, s. */
  readonly retryAfterSeconds?: number;
}

/**
 * - writer: all calls go to the writer, the node for transactions.
 * - reads: reads go to the read pool by round robin; transactions are rejected.
 * - proxy: transactions go to the writer, reads to the first node of the pool, or after a failure to the next.
 * For reads and proxy, nodes that are far behind get no reads.
 */
export type RpcTarget = 'writer' | 'reads' | 'proxy';

export const maxBodyBytes = 1024 * 1024;
const avoidMs = 2_000;
/** Longer than after other errors: a node can answer probes from memory while everything else hangs. */
const avoidAfterTimeoutMs = 20_000;
const maxTries = 3;

/** Counts calls against the caller's rate limit. @returns false if the calls must be rejected */
export type AdmitsCalls = (calls: number) => Promise<boolean>;

export interface RpcCaller {
  readonly name: string;
  readonly admits: AdmitsCalls;
  /** Aborted when the reply was delivered or its client has disconnected. Until then, its bytes count as memory. */
  readonly delivered: AbortSignal;
}

interface Forwarding {
  readonly upstreams: Upstreams;
  readonly target: RpcTarget;
  /** Counts the bytes as memory of the caller. @throws BusyCaller */
  readonly countBytes: (bytes: number) => void;
}

/** A long reply costs further calls. */
export async function chargeReply({ admits }: Pick<RpcCaller, 'admits'>, body: RpcReply['body']): Promise<void> {
  const calls = Math.floor(Buffer.byteLength(body) / bytesPerCost);
  if (calls > 0) await admits(calls);
}

export const limitExceeded = () => new RpcRefusal(429, -32005, 'limit exceeded');

/**
 * Counts a batch against the rate limit, except its first call, which counted with the request.
 * @throws RpcRefusal
 */
export async function admitFurther({ calls, invalid }: RpcRequest, admits: AdmitsCalls): Promise<void> {
  const further = calls.length + invalid.length - 1;
  if (further > 0 && !(await admits(further))) throw limitExceeded();
}

/** Returns a caller whose calls were already counted. */
export const countedCaller = (name: string, delivered: AbortSignal): RpcCaller => ({
  name,
  delivered,
  admits: async () => true,
});

/** Never throws: errors are JSON-RPC errors with an HTTP status. */
export async function forwardRpc(
  upstreams: Upstreams,
  target: RpcTarget,
  text: string,
  caller: RpcCaller,
): Promise<RpcReply> {
  let request: RpcRequest | undefined;
  let isPassedOn = false;
  try {
    const asked = readRpcRequest(text);
    request = asked;
    await admitFurther(asked, caller.admits);
    if (hasWrite(asked.calls) && target === 'reads') return writesRefused(asked);
    const queues = hasOnlyWrites(asked) ? upstreams.writes : upstreams.reads;
    const countBytes = upstreams.replies.open(caller.name, caller.delivered);
    return await queues.run(caller.name, () => {
      isPassedOn = true;
      return passOn({ upstreams, target, countBytes }, asked);
    });
  } catch (error) {
    if (error instanceof BusyCaller)
      return { ...repeated(request, error.status, error.code, error.message), retryAfterSeconds: busySeconds };
    if (error instanceof RpcRefusal) return { status: error.status, body: error.body };
    return failed(request, error, isPassedOn);
  }
}

/** @param isPassedOn false if no node has received the request */
function failed(request: RpcRequest | undefined, error: unknown, isPassedOn: boolean): RpcReply {
  const reason = error instanceof UpstreamError ? error.reason : undefined;
  const status = reason === 'timeout' ? 504 : 502;
  const offered = request?.calls.filter(({ method }) => isOffered(method)) ?? [];
  const mayBeSent = isPassedOn && hasWrite(offered) && reason !== 'unsent';
  const message = mayBeSent
    ? `${status === 504 ? 'the node did not answer in time' : 'the answer of the node was lost'}: the transaction may have been sent`
    : status === 504
      ? 'the node did not answer in time'
      : error instanceof NodesBehind
        ? error.message
        : 'no node answered';
  return repeated(request, status, -32603, message);
}

const maxRefusedBytes = 64 * 1024;

/**
 * Returns one error per call with its id, because a WebSocket client waits for ids. An invalid or long request gets one
 * error without an id. @returns empty for notifications
 */
export function refuseText(text: string, error: RpcRefusal): string {
  if (text.length > maxRefusedBytes) return error.body;
  try {
    return String(repeated(readRpcRequest(text), error.status, error.code, error.message).body);
  } catch {
    return error.body;
  }
}

function repeated(request: RpcRequest | undefined, status: number, code: number, message: string): RpcReply {
  if (!request) return { status, body: errorText(undefined, code, message) };
  if (!request.isBatch) return { status, body: single(getFirst(request.calls), code, message) };
  return { status, body: joined([...request.calls.map((call) => single(call, code, message)), ...request.invalid]) };
}

/** A notification gets no reply. @source JSON-RPC 2.0, 4.1 */
const single = ({ id }: RpcCall, code: number, message: string) =>
  id === undefined ? '' : errorText(id, code, message);

/**
 * @returns empty for a batch of notifications, because an empty array would be an invalid reply
 * @source JSON-RPC 2.0, 6
 */
function joined(replies: readonly string[]): string {
  const sent = replies.filter((reply) => reply !== '');
  return sent.length === 0 ? '' : `[${sent.join(',')}]`;
}

/**
 * Rejects a batch with a transaction for the read pool. None of its calls is executed.
 * @source docs/mechanisms.md#nodes-behind-proxy-and-edge
 */
function writesRefused({ calls, invalid, isBatch }: RpcRequest): RpcReply {
  const refusal = (call: RpcCall) => {
    if (!isOffered(call.method)) return notOffered(call);
    return isWrite(call.method)
      ? single(call, -32601, `${call.method} is not available on the read pool: send it to the writer`)
      : single(call, -32600, 'not executed: the batch contains a write, and the read pool rejects writes');
  };
  const replies = [...calls.map(refusal), ...invalid];
  return { status: 405, body: isBatch ? joined(replies) : getFirst(replies) };
}

const notOffered = (call: RpcCall) => single(call, -32601, `the method ${call.method.slice(0, 100)} is not available`);

async function passOn(forwarding: Forwarding, request: RpcRequest): Promise<RpcReply> {
  const { calls, invalid, isBatch } = request;
  const refused = calls.filter(({ method }) => !isOffered(method));
  if (refused.length === 0 && invalid.length === 0) return ask(forwarding, request, request.text);
  if (!isBatch) return { status: 200, body: notOffered(getFirst(calls)) };
  // replies to a JSON-RPC batch may be in any order
  const offered = calls.filter(({ method }) => isOffered(method));
  const errors = [...refused.map(notOffered), ...invalid];
  if (offered.length === 0) return { status: 200, body: joined(errors) };
  const reply = await ask(forwarding, { ...request, calls: offered }, joined(offered.map(({ text }) => text)));
  return { status: reply.status, body: joined([...listReplies(reply), ...errors]) };
}

/** Returns the replies to the calls of a batch; none if all calls are notifications. */
export function listReplies({ body }: RpcReply): string[] {
  const text = body.toString().trim();
  if (text.startsWith('[')) return sliceArray(text);
  return text === '' ? [] : [text];
}

async function ask(forwarding: Forwarding, request: RpcRequest, text: string): Promise<RpcReply> {
  const { upstreams, target, countBytes } = forwarding;
  const { calls, isBatch } = request;
  const methods = calls.map(({ method }) => method);
  const isWriting = hasWrite(calls);
  const timeoutMs = getTimeout(methods);
  const send = async (upstream: Upstream) => {
    // a node replies to a write after executing it, so the short reply to a batch of only writes is never refused
    const reply = hasOnlyWrites(request)
      ? await upstream.send(text, timeoutMs, 'writes')
      : await upstream.send(text, timeoutMs, 'reads', countBytes).catch((error: unknown) => {
          throw isWriting && error instanceof BusyCaller ? unreadWrites() : error;
        });
    checkReply(reply.body, calls, isBatch);
    return reply;
  };
  if (target === 'writer' || isWriting || asksNextNonce(calls)) return send(upstreams.writer);
  const order = methods.some(isFilterMethod)
    ? [upstreams.chooseForFilter()]
    : upstreams.chooseForRead(target === 'reads' ? upstreams.inTurn() : upstreams.inOrder());
  return firstAnswer(order.slice(0, maxTries), send, isSlow(methods) ? 0 : avoidAfterTimeoutMs);
}

/**
 * Returns whether all forwarded calls send transactions without waiting for their blocks. Only such requests use the
 * connections reserved for transactions. Replies to other requests count as memory of the caller.
 */
function hasOnlyWrites({ calls }: Pick<RpcRequest, 'calls'>): boolean {
  const offered = calls.filter(({ method }) => isOffered(method));
  return offered.length > 0 && offered.every(({ method }) => isWrite(method) && !waitsForBlock(method));
}

/** Error for a batch whose reply was refused, although a node may have executed its transactions. */
const unreadWrites = () => new UpstreamError('invalid', 'the reply to a batch with writes was refused');

/** Next nonces come from the writer, which knows all pending transactions. Another node could return a used nonce. */
const asksNextNonce = (calls: RpcRequest['calls']) =>
  calls.some(({ method, text }) => method === 'eth_getTransactionCount' && text.includes('"pending"'));

async function firstAnswer(
  upstreams: readonly Upstream[],
  send: (upstream: Upstream) => Promise<RpcReply>,
  afterTimeoutMs: number,
): Promise<RpcReply> {
  const [first, others] = [getFirst(upstreams), upstreams.slice(1)];
  try {
    return await send(first);
  } catch (error) {
    if (error instanceof RpcRefusal) throw error;
    const isTimeout = error instanceof UpstreamError && error.reason === 'timeout';
    first.avoidUntil = Math.max(first.avoidUntil, Date.now() + (isTimeout ? afterTimeoutMs : avoidMs));
    // after a timeout, try no other node: a slow call is slow on every node
    if (others.length === 0 || isTimeout) throw error;
    return firstAnswer(others, send, afterTimeoutMs);
  }
}
