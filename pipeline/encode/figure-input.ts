/** A block as the node gives it, as its figures take it. */
import type { BlockBundle, WireLog, WireReceipt, WireTransaction } from '#chain/rpc/wire-types.ts';
import { known } from '#runtime/known.ts';
import { burnedFees, effectiveGasPrice, transactionFee } from '../decode/price-gas.ts';
import type { FigureInput, FigureLog, FigureTransaction } from './block-figures.ts';

/** @throws SyntaxError for a quantity that is no hex: encode the other tables first, which says where it is */
export function figureInput({ block, receipts }: BlockBundle): FigureInput {
  const transactions = receipts.map((receipt, i) => {
    const transaction = known(block.transactions[i], `transaction ${i}`);
    const price = effectiveGasPrice(block, transaction, receipt);
    return figureTransaction(transaction, receipt, price);
  });
  return {
    block: {
      number: Number(block.number),
      timestamp: Number(block.timestamp),
      gasUsed: BigInt(block.gasUsed),
      gasLimit: BigInt(block.gasLimit),
      fees: transactions.reduce((sum, { fee }) => sum + fee, 0n),
      burned: burnedFees(block, receipts),
      bytes: BigInt(block.size ?? '0x0'),
    },
    transactions,
    logs: receipts.flatMap(({ logs }, i) => logs.map((log) => figureLog(i, log))),
  };
}

function figureTransaction(t: WireTransaction, r: WireReceipt, price: string): FigureTransaction {
  return {
    from: t.from.toLowerCase(),
    to: t.to?.toLowerCase() ?? null,
    created: r.contractAddress?.toLowerCase() ?? null,
    isFailed: Boolean(r.status) && Number(r.status) === 0,
    value: BigInt(t.value),
    gasUsed: BigInt(r.gasUsed),
    gasPrice: BigInt(price),
    fee: transactionFee(price, r),
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
