import { readTopicAddress, zeroAddress } from '#chain/codec/hex.ts';
import type { TokenTransfer } from '#chain/codec/token-transfers.ts';
import type { Asset } from './asset.ts';
import type { Amount, Knot, KnotFacts, KnotLog, KnotTransaction } from './knot.ts';
import { knownEvents, swapTopics } from './known-events.ts';
import { methodKinds, methodName } from './method-names.ts';

export interface Move extends TokenTransfer {
  readonly asset: Asset;
  readonly logIndex: number;
}

export interface OwnEvent {
  readonly event: Pick<Knot, 'kind' | 'direction' | 'moved' | 'counterparty'> &
    Partial<Pick<Knot, 'second' | 'logIndex' | 'tokenId'>>;
  /** Token transfers in this event. The sender gets no other event for them. */
  readonly includedMoves: ReadonlySet<Move>;
}

interface Context {
  readonly tx: KnotTransaction;
  readonly to: string;
  readonly logs: readonly KnotLog[];
  readonly facts: KnotFacts;
  readonly method: string;
  readonly value: Amount;
  readonly paid: readonly Move[];
  readonly got: readonly Move[];
}

/** Returns the event of a transaction's sender; undefined if token transfers describe it. */
export function senderEvent(
  tx: KnotTransaction,
  logs: readonly KnotLog[],
  moves: readonly Move[],
  facts: KnotFacts,
): OwnEvent | undefined {
  const value = { asset: facts.native, amount: BigInt(tx.value) };
  const [to, creation] = [tx.to, tx.contract_address];
  if (to === null)
    return withoutMoves({
      kind: 'contract_creation',
      direction: 'out',
      moved: value,
      counterparty: creation ?? zeroAddress,
    });
  if (tx.method_id.length < 10)
    return withoutMoves({
      kind: 'native_transfer',
      direction: to === tx.from ? 'self' : 'out',
      moved: value,
      counterparty: to,
    });
  const paid = moves.filter((move) => move.from === tx.from && move.to !== tx.from);
  const got = moves.filter((move) => move.to === tx.from && move.from !== tx.from);
  const context = { tx, to, logs, facts, method: methodName(tx.method_id), value, paid, got };
  return wrap(context) ?? swap(context) ?? knownMethod(context) ?? approval(context) ?? call(context);
}

function wrap({ tx, to, logs, facts, value, got, paid }: Context): OwnEvent | undefined {
  const log = logs.find(
    ({ address, topic0, topic1 }) =>
      address === to &&
      (topic0 === knownEvents.wrapped || topic0 === knownEvents.unwrapped) &&
      readTopicAddress(topic1) === tx.from,
  );
  if (!log || !mayWrap(facts, log)) return undefined;
  const [native, token] = [facts.native, facts.getToken(log.address)];
  const amount = firstWord(log.data);
  const includedMoves = new Set([...got, ...paid].filter((move) => move.asset.address === log.address));
  if (log.topic0 === knownEvents.unwrapped) {
    const moved = { asset: token, amount };
    const second = { asset: native, amount };
    return { event: { kind: 'unwrap', direction: 'self', moved, second, counterparty: log.address }, includedMoves };
  }
  // a vault logs the same event when another asset is deposited
  if (value.amount !== amount) return undefined;
  const second = { asset: token, amount };
  return { event: { kind: 'wrap', direction: 'self', moved: value, second, counterparty: log.address }, includedMoves };
}

/** Vaults log deposits and withdrawals of other assets like those of the wrapped coin. */
const mayWrap = ({ wrapped }: KnotFacts, { address }: KnotLog): boolean => wrapped === undefined || address === wrapped;

function swap({ to, logs, facts, value, paid, got }: Context): OwnEvent | undefined {
  if (!logs.some(({ topic0 }) => swapTopics.has(topic0))) return undefined;
  const unwrapped = logs.find((log) => log.topic0 === knownEvents.unwrapped && mayWrap(facts, log));
  const gave = paid[0] ? getAmount(paid[0]) : value.amount > 0n ? value : undefined;
  const received = got[0] ? getAmount(got[0]) : unwrapped && { asset: facts.native, amount: firstWord(unwrapped.data) };
  if (!gave || !received) return undefined;
  const includedMoves = new Set([...paid.slice(0, 1), ...got.slice(0, 1)]);
  return { event: { kind: 'swap', direction: 'self', moved: gave, second: received, counterparty: to }, includedMoves };
}

function knownMethod({ to, method, value, paid, got }: Context): OwnEvent | undefined {
  const known = methodKinds.get(method);
  if (!known) return undefined;
  const isIn = known.direction === 'in';
  // the sender pays the coin, so a claim never returns it
  if (isIn && got.length === 0 && value.amount > 0n) return undefined;
  const moves = isIn ? got : paid;
  const [first, second] = [...moves.map(getAmount), ...(!isIn && value.amount > 0n ? [value] : [])];
  const event = { ...known, moved: first ?? value, second, counterparty: to };
  return { event, includedMoves: new Set(moves.slice(0, 2)) };
}

function approval({ tx, to, logs, facts }: Context): OwnEvent | undefined {
  const log = logs.find(
    ({ address, topic0, topic1 }) =>
      address === to &&
      (topic0 === knownEvents.approval || topic0 === knownEvents.approvalForAll) &&
      readTopicAddress(topic1) === tx.from,
  );
  if (!log || logs.some(({ topic0 }) => topic0 !== log.topic0)) return undefined;
  const isNft = log.topic_count === 4 || log.topic0 === knownEvents.approvalForAll;
  const asset = facts.getToken(log.address);
  return withoutMoves({
    kind: isNft ? 'nft_approval' : 'approval',
    direction: 'out',
    logIndex: log.log_index,
    moved: { asset, amount: isNft ? 0n : firstWord(log.data) },
    counterparty: readTopicAddress(log.topic2),
    ...(log.topic_count === 4 ? { tokenId: BigInt(log.topic3) } : {}),
  });
}

function call({ to, value, paid, got }: Context): OwnEvent | undefined {
  const isCoveredByMoves = value.amount === 0n && [...paid, ...got].length > 0;
  if (isCoveredByMoves) return undefined;
  return withoutMoves({ kind: 'contract_call', direction: 'out', moved: value, counterparty: to });
}

const withoutMoves = (event: OwnEvent['event']): OwnEvent => ({ event, includedMoves: new Set() });

const getAmount = ({ asset, value }: Move): Amount => ({ asset, amount: value });

const firstWord = (data: string) => (data.length >= 66 ? BigInt(data.slice(0, 66)) : 0n);
