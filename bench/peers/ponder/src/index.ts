import { ponder } from 'ponder:registry';
import { block, transfer } from 'ponder:schema';

ponder.on('Each:block', async ({ event, context }) => {
  const { number, hash, timestamp } = event.block;
  await context.db.insert(block).values({ number, hash, timestamp });
});

ponder.on('Token:Transfer', async ({ event, context }) => {
  await context.db.insert(transfer).values({
    id: event.id,
    token: event.log.address,
    sender: event.args.from,
    recipient: event.args.to,
    value: event.args.value,
    txHash: event.transaction.hash,
    timestamp: event.block.timestamp,
  });
});
