import type { BlockBundle, WireLog } from '#chain/rpc/wire-types.ts';
import type { BlockCosts, PricedTransaction } from '../decode/price-gas.ts';
import type { FigureInput, FigureLog, FigureTransaction } from './block-figures.ts';

/**
 * Collects the inputs of a block's figures (sums for charts). Encode other tables first: their errors name invalid
 * fields.
 * @throws SyntaxError for a quantity that isn't hex
 */
export function figureInput({ block, receipts }: BlockBundle, { transactions, fees, burned }: BlockCosts): FigureInput {
  return {
    block: {
      number: Number(block.number),
      timestamp: Number(block.timestamp),
      gasUsed: BigInt(block.gasUsed),
      gasLimit: BigInt(block.gasLimit),
      fees,
      burned,
      bytes: BigInt(block.size ?? '0x0'),
    },
    transactions: transactions.map(figureTransaction),
    logs: receipts.flatMap(({ logs }, i) => logs.map((log) => figureLog(i, log))),
  };
}

function figureTransaction({ transaction: t, receipt: r, price, fee }: PricedTransaction): FigureTransaction {
  return {
    from: t.from.toLowerCase(),
    to: t.to?.toLowerCase() ?? null,
    created: r.contractAddress?.toLowerCase() ?? null,
    isFailed: Boolean(r.status) && Number(r.status) === 0,
    value: BigInt(t.value),
    gasUsed: BigInt(r.gasUsed),
    gasPrice: BigInt(price),
    fee,
    inputBytes: (t.input.length - 2) / 2,
    authorizations: t.authorizationList?.length ?? 0,
  };
}

function figureLog(txIndex: number, { address, topics, data }: WireLog): FigureLog {
  return {
    txIndex,
    address: address.toLowerCase(),
    topics: topics.map((topic) => topic.toLowerCase()),
    data,
  };
}
