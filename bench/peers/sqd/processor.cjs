const { EvmBatchProcessor } = require('@subsquid/evm-processor');
const { TypeormDatabase } = require('@subsquid/typeorm-store');
const { Block, Log, Transaction } = require('./lib/model.js');

const fields = {
  block: { gasUsed: true, miner: true, timestamp: true },
  transaction: { from: true, to: true, value: true, hash: true, input: true, gasUsed: true, status: true },
  log: { address: true, topics: true, data: true, transactionHash: true },
};
const processor = new EvmBatchProcessor()
  .setRpcEndpoint({ url: process.env.RPC_URL, capacity: 16, maxBatchCallSize: 40 })
  .setFinalityConfirmation(0) // the recorded chain does not grow, so its newest blocks would never become final
  .setBlockRange({ from: 0, to: Number(process.env.END_BLOCK) })
  .includeAllBlocks()
  .addTransaction({})
  .addLog({})
  .setFields(fields);

processor.run(new TypeormDatabase({ supportHotBlocks: false }), async ({ blocks, store }) => {
  await store.insert(
    blocks.map(
      ({ header }) =>
        new Block({ id: header.hash, number: header.height, miner: header.miner, timestamp: header.timestamp }),
    ),
  );
  await store.insert(
    blocks.flatMap(({ header, transactions }) =>
      transactions.map(
        (tx) =>
          new Transaction({
            ...{ id: tx.hash, block: header.height, sender: tx.from, recipient: tx.to ?? null, status: tx.status },
            ...{ value: tx.value, gasUsed: tx.gasUsed, input: tx.input },
          }),
      ),
    ),
  );
  await store.insert(
    blocks.flatMap(({ header, logs }) =>
      logs.map(
        (log) =>
          new Log({
            ...{ id: `${header.height}-${log.logIndex}`, block: header.height, address: log.address },
            ...{ topics: log.topics, data: log.data, txHash: log.transactionHash },
          }),
      ),
    ),
  );
});
