/** What a transaction was to its sender: a swap, a wrap, an approval, a deployment, a call. */

import { addressOfTopic, zeroAddress } from '#chain/codec/hex.ts';
import type { TokenTransfer } from '#chain/codec/token-transfers.ts';
import type { Asset } from './asset.ts';
import type { Amount, Knot, KnotFacts, KnotLog, KnotTransaction } from './knot.ts';
import { knownEvents, swapTopics } from './known-events.ts';
import { kindOfMethod, methodName } from './method-names.ts';

/** A token that moved in the transaction. */
export interface Move extends TokenTransfer {
  readonly asset: Asset;
  readonly logIndex: number;
}

export interface OwnEvent {
  readonly event: Pick<Knot, 'kind' | 'direction' | 'moved' | 'counterparty'> &
    Partial<Pick<Knot, 'second' | 'logIndex' | 'tokenId'>>;
  /** Moves that it tells of, so that they are no events of the sender beside it. */
  readonly told: ReadonlySet<Move>;
}

interface Context {
  readonly tx: KnotTransaction;
  /** Whom the sender called. */
  readonly to: string;
  readonly logs: readonly KnotLog[];
  readonly facts: KnotFacts;
  readonly method: string;
  readonly value: Amount;
  /** Moves from and to the sender. */
  readonly paid: readonly Move[];
  readonly got: readonly Move[];
}

/** @returns undefined where the moves of tokens say everything: a transfer called on the token itself */
export function senderEvent(
  tx: KnotTransaction,
  logs: readonly KnotLog[],
  moves: readonly Move[],
  facts: KnotFacts,
): OwnEvent | undefined {
  const value = { asset: facts.native, amount: BigInt(tx.value) };
  const [to, creation] = [tx.to, tx.contract_address];
  if (to === null)
    return alone({ kind: 'contract_creation', direction: 'out', moved: value, counterparty: creation ?? zeroAddress });
  if (tx.method_id.length < 10)
    return alone({
      kind: 'native_transfer',
      direction: to === tx.from ? 'self' : 'out',
      moved: value,
      counterparty: to,
    });
  const paid = moves.filter((move) => move.from === tx.from && move.to !== tx.from);
  const got = moves.filter((move) => move.to === tx.from && move.from !== tx.from);
  const context = { tx, to, logs, facts, method: methodName(tx.method_id), value, paid, got };
  return wrap(context) ?? swap(context) ?? named(context) ?? approval(context) ?? call(context);
}

/** The native coin into its token form, or back. */
function wrap({ tx, to, logs, facts, value, got, paid }: Context): OwnEvent | undefined {
  const log = logs.find(
    ({ address, topic0, topic1 }) =>
      address === to &&
      (topic0 === knownEvents.wrapped || topic0 === knownEvents.unwrapped) &&
      addressOfTopic(topic1) === tx.from,
  );
  if (!log) return undefined;
  const [native, token] = [facts.native, facts.tokenOf(log.address)];
  const amount = firstWord(log.data);
  const told = new Set([...got, ...paid].filter((move) => move.asset.address === log.address));
  if (log.topic0 === knownEvents.unwrapped) {
    const moved = { asset: token, amount };
    const second = { asset: native, amount };
    return { event: { kind: 'unwrap', direction: 'self', moved, second, counterparty: log.address }, told };
  }
  if (value.amount !== amount) return undefined; // a vault's deposit of something else
  const second = { asset: token, amount };
  return { event: { kind: 'wrap', direction: 'self', moved: value, second, counterparty: log.address }, told };
}

/** One thing against another where a pool says that it swapped. */
function swap({ to, logs, facts, value, paid, got }: Context): OwnEvent | undefined {
  if (!logs.some(({ topic0 }) => swapTopics.has(topic0))) return undefined;
  const unwrapped = logs.find(({ topic0 }) => topic0 === knownEvents.unwrapped);
  const gave = paid[0] ? amountOf(paid[0]) : value.amount > 0n ? value : undefined;
  const received = got[0] ? amountOf(got[0]) : unwrapped && { asset: facts.native, amount: firstWord(unwrapped.data) };
  if (!gave || !received) return undefined;
  const told = new Set([...paid.slice(0, 1), ...got.slice(0, 1)]);
  return { event: { kind: 'swap', direction: 'self', moved: gave, second: received, counterparty: to }, told };
}

/** Calls that their name tells: staking, rewards, liquidity, bridges. */
function named({ to, method, value, paid, got }: Context): OwnEvent | undefined {
  const known = kindOfMethod.get(method);
  if (!known) return undefined;
  const moves = known.direction === 'in' ? got : paid;
  const [first, second] = [...moves.map(amountOf), ...(value.amount > 0n ? [value] : [])];
  const event = { ...known, moved: first ?? value, second, counterparty: to };
  return { event, told: new Set(moves.slice(0, 2)) };
}

/** An allowance that the sender gave by calling the token itself. */
function approval({ tx, to, logs, facts }: Context): OwnEvent | undefined {
  const log = logs.find(
    ({ address, topic0, topic1 }) =>
      address === to &&
      (topic0 === knownEvents.approval || topic0 === knownEvents.approvalForAll) &&
      addressOfTopic(topic1) === tx.from,
  );
  if (!log || logs.some(({ topic0 }) => topic0 !== log.topic0)) return undefined;
  const isNft = log.topic_count === 4 || log.topic0 === knownEvents.approvalForAll;
  const asset = facts.tokenOf(log.address);
  return alone({
    kind: isNft ? 'nft_approval' : 'approval',
    direction: 'out',
    logIndex: log.log_index,
    moved: { asset, amount: isNft ? 0n : firstWord(log.data) },
    counterparty: addressOfTopic(log.topic2),
    ...(log.topic_count === 4 ? { tokenId: BigInt(log.topic3) } : {}),
  });
}

function call({ to, value, paid, got }: Context): OwnEvent | undefined {
  const isTold = value.amount === 0n && [...paid, ...got].length > 0;
  if (isTold) return undefined;
  return alone({ kind: 'contract_call', direction: 'out', moved: value, counterparty: to });
}

const alone = (event: OwnEvent['event']): OwnEvent => ({ event, told: new Set() });

const amountOf = ({ asset, value }: Move): Amount => ({ asset, amount: value });

const firstWord = (data: string) => (data.length >= 66 ? BigInt(data.slice(0, 66)) : 0n);
