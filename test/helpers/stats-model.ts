import { type ModelBlock, modelTransfers } from './chain-model.ts';
import { sum } from './economy-model.ts';

const recent = 100;
const daySeconds = 86_400;

export function statsByHand(blocks: readonly ModelBlock[]) {
  const txs = blocks.flatMap((block) => block.txs);
  const logs = blocks.flatMap((block) => block.logs);
  const paid = txs.filter(({ status, value }) => status === 1 && value > 0n);
  const created = txs.flatMap((tx) => (tx.created && tx.status === 1 ? [tx.created] : []));
  const head = blocks.at(-1)!;
  const day = blocks.filter(({ time }) => time > head.time - daySeconds).flatMap((block) => block.txs);
  const last = blocks.slice(-recent);
  const seconds = head.time - blocks.at(-recent - 1)!.time;
  const taken = [
    ...txs.flatMap((tx) => [tx.from, tx.to, tx.status === 1 ? tx.created : null]),
    ...logs.map((log) => log.address),
  ];
  return {
    anchors: blocks.length,
    transactions: txs.length,
    events: logs.length,
    updatedAtBlock: head.number,
    failedTransactions: txs.filter(({ status }) => status === 0).length,
    nativeTransfers: paid.length,
    knots: logs.length + paid.length,
    tokenTransfers: modelTransfers(blocks).length,
    accounts: new Set(taken.filter((address) => address !== null)).size,
    contracts: created.length,
    gasUsed: Number(sum(blocks.map(({ gasUsed }) => gasUsed))),
    fees: String(sum(txs.map(({ fee }) => fee))),
    tps: last.reduce((count, block) => count + block.txs.length, 0) / seconds,
    averageBlockTime: seconds / last.length,
    transactions24h: day.length,
    fees24h: String(sum(day.map(({ fee }) => fee))),
  };
}
