import { zeroAddress } from '#chain/codec/hex.ts';
import { decodeTransfers, type TokenTransfer } from '#chain/codec/token-transfers.ts';
import type { Asset } from './asset.ts';
import type { Knot, KnotFacts, KnotLog, KnotTransaction } from './knot.ts';
import { methodName } from './method-names.ts';
import { type Move, type OwnEvent, senderEvent } from './sender-event.ts';

export function deriveKnots(tx: KnotTransaction, logs: readonly KnotLog[], facts: KnotFacts): Knot[] {
  const base = getBaseFields(tx);
  if (tx.status === 0) return [failedKnot(tx, base, facts)];
  const moves = logs.flatMap((log) => getMoves(log, facts.getToken(log.address)));
  const own = senderEvent(tx, logs, moves, facts);
  const knots = [
    ...(own ? [{ ...base, ...own.event }] : []),
    ...receivedCoins(tx, base, facts),
    ...moves.flatMap((move) => getMoveKnots(move, base, own, tx.from)),
  ];
  return withFee(knots, tx);
}

type Base = Pick<Knot, 'timestamp' | 'block' | 'txIndex' | 'txHash' | 'methodId' | 'method' | 'wallet'> &
  Pick<Knot, 'logIndex' | 'part' | 'status' | 'failReason' | 'second' | 'tokenId' | 'fee'>;

function getBaseFields(tx: KnotTransaction): Base {
  const isCall = tx.to !== null && tx.method_id.length === 10;
  return {
    wallet: tx.from,
    timestamp: tx.timestamp,
    block: Number(tx.block_number),
    txIndex: tx.tx_index,
    txHash: tx.hash,
    logIndex: -1,
    part: 0,
    status: 'ok' as const,
    failReason: '',
    second: undefined,
    tokenId: undefined,
    fee: 0n,
    methodId: isCall ? tx.method_id : '0x',
    method: isCall ? methodName(tx.method_id) : '',
  };
}

function failedKnot(tx: KnotTransaction, base: Base, facts: KnotFacts): Knot {
  const kind = tx.to === null ? 'contract_creation' : base.method === '' ? 'native_transfer' : 'contract_call';
  return {
    ...base,
    kind,
    direction: 'out',
    status: 'failed',
    failReason: facts.getFailReason(tx.hash),
    moved: { asset: facts.native, amount: BigInt(tx.value) },
    counterparty: tx.to ?? zeroAddress,
    fee: BigInt(tx.fee),
  };
}

function receivedCoins(tx: KnotTransaction, base: Base, facts: KnotFacts): Knot[] {
  if (tx.to === null || tx.to === tx.from || tx.value === '0') return [];
  const moved = { asset: facts.native, amount: BigInt(tx.value) };
  return [{ ...base, wallet: tx.to, kind: 'native_transfer', direction: 'in', moved, counterparty: tx.from }];
}

function getMoves(log: KnotLog, asset: Asset): Move[] {
  return decodeLogTransfers(log).map((transfer) => ({ ...transfer, asset, logIndex: log.log_index }));
}

export function decodeLogTransfers(log: KnotLog): TokenTransfer[] {
  const topics = [log.topic0, log.topic1, log.topic2, log.topic3].slice(0, log.topic_count);
  return decodeTransfers({ topics, data: log.data });
}

/**
 * Returns the wallet events of a token transfer, one per wallet. The sender of the transaction gets none if its own
 * event, such as a swap, contains the transfer.
 */
function getMoveKnots(move: Move, base: Base, own: OwnEvent | undefined, sender: string): Knot[] {
  const sides = move.from === move.to ? [move.to] : [move.from, move.to];
  return sides
    .filter((wallet) => wallet !== zeroAddress && !(wallet === sender && own?.includedMoves.has(move)))
    .map((wallet) => ({
      ...base,
      wallet,
      logIndex: move.logIndex,
      part: Math.min(move.batchIndex, 65_535),
      kind: getMoveKind(move),
      direction: move.from === move.to ? 'self' : wallet === move.from ? 'out' : 'in',
      moved: { asset: move.asset, amount: move.value },
      tokenId: move.standard === 'erc20' ? undefined : move.tokenId,
      counterparty: wallet === move.from ? move.to : move.from,
    }));
}

function getMoveKind({ standard, from, to }: TokenTransfer): string {
  const what = standard === 'erc20' ? 'token' : 'nft';
  if (from === zeroAddress) return `${what}_mint`;
  return to === zeroAddress ? `${what}_burn` : `${what}_transfer`;
}

function withFee(knots: readonly Knot[], tx: KnotTransaction): Knot[] {
  const first = knots.findIndex((knot) => knot.wallet === tx.from);
  return knots.map((knot, at) => (at === first ? { ...knot, fee: BigInt(tx.fee) } : knot));
}
