/** Converts rows of knots (events of a wallet) to replies. */
import { z } from 'zod';
import { isoTime } from '#chain/codec/iso-time.ts';
import { type KnotRecord, knotId } from '#semantic/knot-rows.ts';
import type { Shape } from '#semantic/shape.ts';
import { Count, HexAddress, HexHash, IsoTime, Wei } from '../../terms/primitives.ts';

const zeros = /^0x0+$/;

const TokenAmount = z.strictObject({
  address: HexAddress.nullable().meta({ description: 'Address of the token contract; null for the native coin' }),
  symbol: z.string(),
  name: z.string(),
  class: z.string(),
  amount: z.string().regex(/^\d+$/).meta({ description: 'Amount in the smallest unit of the token, decimal' }),
  decimals: Count,
});

/** @source docs/semantic.md */
export const knotFields = {
  knotId: z.string().meta({
    description: 'Id of the knot (event): <txHash>:<logIndex> for a log, <txHash>:tx for the transaction itself',
  }),
  wallet: HexAddress,
  kind: z.string(),
  direction: z.enum(['in', 'out', 'self']),
  status: z.enum(['ok', 'failed']),
  failReason: z.string().nullable(),
  token: TokenAmount,
  secondToken: TokenAmount.nullable(),
  tokenId: z.string().nullable(),
  counterparty: z
    .strictObject({ address: HexAddress, label: z.string().nullable(), category: z.string().nullable() })
    .nullable(),
  method: z.string().nullable(),
  methodId: z.string().nullable(),
  fee: Wei,
  usd: z.number().nullable().meta({
    description:
      'Value in dollars: stablecoins (STABLECOINS) at one dollar, the coin and its wrapped token at the present price; null if unknown, or if nothing moved',
  }),
  timestamp: IsoTime,
  blockNumber: Count,
  txHash: HexHash,
  txIndex: Count,
  logIndex: Count.nullable().meta({
    description: 'Index of the log in its block; null if the event is the transaction itself',
  }),
};

export const Knot = z.strictObject(knotFields).meta({ id: 'Knot' });

export function toKnot(record: KnotRecord, shape: Shape): z.input<typeof Knot> {
  const { kind, direction, status, label, category, method } = shape;
  return {
    knotId: knotId(record),
    wallet: record.wallet,
    kind,
    direction,
    status,
    failReason: shape.failReason || null,
    token: {
      address: zeros.test(record.token) ? null : record.token,
      symbol: shape.tokenSymbol,
      name: shape.tokenName,
      class: shape.tokenClass,
      amount: record.amount,
      decimals: record.decimals,
    },
    secondToken:
      shape.secondTokenSymbol === '' && zeros.test(record.second_token) // the coin has a symbol; a token may have none
        ? null
        : {
            address: zeros.test(record.second_token) ? null : record.second_token,
            symbol: shape.secondTokenSymbol,
            name: shape.secondTokenName,
            class: shape.secondTokenClass,
            amount: record.second_amount,
            decimals: record.second_decimals,
          },
    tokenId: record.token_id,
    counterparty: zeros.test(record.counterparty)
      ? null
      : { address: record.counterparty, label: label || null, category: category || null },
    method: method || null,
    methodId: zeros.test(record.method_id) ? null : record.method_id,
    fee: record.fee,
    usd: record.usd,
    timestamp: isoTime(record.time),
    blockNumber: Number(record.block_number),
    txHash: record.tx_hash,
    txIndex: record.tx_index,
    logIndex: record.log_index < 0 ? null : record.log_index,
  };
}
