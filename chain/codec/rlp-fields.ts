/**
 * Encodes parts of a block as RLP.
 * @source Ethereum yellow paper 4; EIP-2718, 2930, 1559, 4844, 7702
 */
import { encodeRlp, type RlpStructuredData } from 'ethers';
import { known } from '#runtime/known.ts';
import type { WireAuthorization, WireBlock, WireReceipt, WireTransaction, WireWithdrawal } from '../rpc/wire-types.ts';

function integer(hex: string | null | undefined): string {
  const digits = (hex ?? '0x0').slice(2).replace(/^0+/, '');
  return `0x${digits.length % 2 ? '0' : ''}${digits}`;
}

/**
 * Encodes a block header up to its first absent optional field: each fork appended fields.
 * @returns undefined if the node omitted a required field
 */
export function encodeHeader(b: WireBlock): string | undefined {
  if (!b.mixHash || !b.nonce || b.difficulty === undefined || b.difficulty === null) return undefined;
  const fields: string[] = [
    b.parentHash, b.sha3Uncles, b.miner, b.stateRoot, b.transactionsRoot, b.receiptsRoot, b.logsBloom, integer(b.difficulty),
    integer(b.number), integer(b.gasLimit), integer(b.gasUsed), integer(b.timestamp), b.extraData, b.mixHash,
    `0x${b.nonce.slice(2).padStart(16, '0')}`,
  ]; // biome-ignore format: rows in header order
  const optional: [string | null | undefined, boolean][] = [
    [b.baseFeePerGas, true],
    [b.withdrawalsRoot, false],
    [b.blobGasUsed, true],
    [b.excessBlobGas, true],
    [b.parentBeaconBlockRoot, false],
    [b.requestsHash, false],
  ];
  for (const [value, isInteger] of optional) {
    if (value === undefined || value === null) break;
    fields.push(isInteger ? integer(value) : value);
  }
  return encodeRlp(fields);
}

/** @returns undefined for an unknown transaction type */
export function encodeTransaction(t: WireTransaction): string | undefined {
  const type = Number(t.type ?? '0x0');
  const fields = getSignedFields(t, type);
  if (!fields) return undefined;
  if (type === 0) return encodeRlp([...fields, integer(t.v), integer(t.r), integer(t.s)]);
  return typed(type, [...fields, integer(t.yParity ?? t.v), integer(t.r), integer(t.s)]);
}

/** Encodes the transaction fields that the sender signed. */
export function encodeUnsigned(t: WireTransaction): string | undefined {
  const type = Number(t.type ?? '0x0');
  const fields = getSignedFields(t, type);
  if (!fields) return undefined;
  if (type !== 0) return typed(type, fields);
  const chainId = legacyChainId(t.v);
  return encodeRlp(chainId === 0n ? fields : [...fields, integer(`0x${chainId.toString(16)}`), '0x', '0x']);
}

function legacyChainId(v: string | null | undefined): bigint {
  const value = BigInt(v ?? '0x0');
  return value < 35n ? 0n : (value - 35n) / 2n;
}

function getSignedFields(t: WireTransaction, type: number): RlpStructuredData[] | undefined {
  const call: RlpStructuredData[] = [integer(t.gas), t.to ?? '0x', integer(t.value), t.input];
  if (type === 0) return [integer(t.nonce), integer(t.gasPrice), ...call];
  const accessList = (t.accessList ?? []).map((entry) => [entry.address, entry.storageKeys]);
  const start = [integer(t.chainId), integer(t.nonce)];
  const fees = [integer(t.maxPriorityFeePerGas), integer(t.maxFeePerGas)];
  switch (type) {
    case 1:
      return [...start, integer(t.gasPrice), ...call, accessList];
    case 2:
      return [...start, ...fees, ...call, accessList];
    case 3:
      return [...start, ...fees, ...call, accessList, integer(t.maxFeePerBlobGas), t.blobVersionedHashes ?? []];
    case 4:
      return [...start, ...fees, ...call, accessList, (t.authorizationList ?? []).map(authorization)];
    default:
      return undefined;
  }
}

const authorization = (a: WireAuthorization) => [
  integer(a.chainId),
  a.address,
  integer(a.nonce),
  ...[a.yParity ?? a.v, a.r, a.s].map(integer),
];

export function encodeReceipt(r: WireReceipt, type: number, bloom: string): string {
  const outcome =
    r.status !== undefined && r.status !== null ? integer(r.status) : known(r.root, 'the state root of a receipt');
  const logs = r.logs.map((log) => [log.address, log.topics, log.data]);
  const body: RlpStructuredData[] = [outcome, integer(r.cumulativeGasUsed), bloom, logs];
  return type === 0 ? encodeRlp(body) : typed(type, body);
}

export function encodeWithdrawal(w: WireWithdrawal): string {
  return encodeRlp([integer(w.index), integer(w.validatorIndex), w.address, integer(w.amount)]);
}

export function encodeIndex(index: number): string {
  return encodeRlp(integer(`0x${index.toString(16)}`));
}

function typed(type: number, fields: RlpStructuredData[]): string {
  return `0x${type.toString(16).padStart(2, '0')}${encodeRlp(fields).slice(2)}`;
}
