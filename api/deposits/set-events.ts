/**
 * Steps of the head as events of an address set: transfers seen with their block, creditable once 20 blocks stand on it, removed
 * with it. Derived from the order of the steps alone, so that a replay gives what was sent the first time.
 */
import { hexDigits } from '#chain/codec/hex.ts';
import { getStatement } from '#sql/statements.ts';
import type { ApiDeps } from '../deps.ts';
import type { AnchorEvent } from './anchor-events.ts';
import { anchorEvent, type EventsOf, type StreamEvent } from './event-stream.ts';
import { requiredConfirmations } from './rules.ts';

/** Steps before the first one that are looked at for what stood on the chain then. */
const lookBack = 20_000;

/** Parts follow from places in blocks, not from who is a member now: ids stay what they were when a set changes. */
const ripeParts = 1_000_000;
/** A set that is streamed is in use, ms. */
const useEveryMs = 3_600_000;
/** Blocks below those that can ripen that are kept in mind: deeper reorgs there are none. */
const rememberedBlocks = 1_000;

/** A block that became the head. */
interface Added {
  readonly sequence: number;
  readonly number: number;
  readonly hash: string;
}

interface TransferRecord {
  block: string;
  block_number: string;
  tx_index: number;
  tx_hash: string;
  sender: string;
  recipient: string;
  wei: string;
  time: number;
}

/** For one stream: it is given its steps one after the other, without gaps. */
export function setEvents(deps: ApiDeps, setId: string): EventsOf {
  let earlier: readonly Added[] | undefined;
  let usedAt = Date.now();
  return async (steps) => {
    if (Date.now() - usedAt > useEveryMs) {
      await deps.addressSets.require(setId);
      usedAt = Date.now();
    }
    earlier ??= await earlierBlocks(deps, steps);
    const added = [...earlier, ...steps.filter((step) => step.kind === 'added')];
    const lowest = steps.at(-1)!.number - requiredConfirmations - rememberedBlocks;
    earlier = added.filter((block) => block.number >= lowest);
    const ripened = steps.map((step) => (step.kind === 'added' ? ripenedBy(step, added) : undefined));
    const blocks = [...steps, ...ripened.filter((block) => block !== undefined)];
    const transfers = await readTransfers(deps, setId, blocks);
    return steps.flatMap((step, i) => {
      const name = step.kind === 'added' ? 'transfer.seen' : 'transfer.removed';
      const own = (transfers.get(step.hash) ?? []).map((row) => ({
        ...{ id: `${step.sequence}-${1 + row.tx_index}`, name },
        data: transferData(row, step.kind === 'added' ? 0 : null),
      }));
      const ripe = (transfers.get(ripened[i]?.hash ?? '') ?? []).map((row) => ({
        ...{ id: `${step.sequence}-${ripeParts + row.tx_index}`, name: 'transfer.creditable' },
        data: transferData(row, requiredConfirmations),
      }));
      const events: StreamEvent[] = [...own, ...ripe];
      return [anchorEvent(step, 0), ...events];
    });
  };
}

/** Blocks that became the head before these steps, oldest first. */
async function earlierBlocks({ database, statements }: ApiDeps, steps: readonly AnchorEvent[]): Promise<Added[]> {
  const heights = steps.map((step) => step.number);
  const rows = await database.read<{ sequence: string; block_number: string; block_hash: string }>(
    getStatement(statements, 'earlier_anchors'),
    {
      ...{ before: steps[0]!.sequence, look_back: lookBack },
      ...{
        from_block: Math.max(0, Math.min(...heights) - requiredConfirmations - rememberedBlocks),
        to_block: Math.max(...heights),
      },
    },
  );
  return rows.map((row) => ({
    ...{ sequence: Number(row.sequence), number: Number(row.block_number), hash: row.block_hash },
  }));
}

/** The block that this step makes creditable: for the first time since it came onto the chain. */
function ripenedBy(step: AnchorEvent, added: readonly Added[]): Added | undefined {
  const before = added.filter((block) => block.sequence < step.sequence);
  const ripe = before.findLast((block) => block.number === step.number - requiredConfirmations);
  const wasRipe = ripe && before.some((block) => block.number === step.number && block.sequence > ripe.sequence);
  return wasRipe ? undefined : ripe;
}

async function readTransfers(
  { database, statements }: ApiDeps,
  setId: string,
  blocks: readonly { readonly number: number; readonly hash: string }[],
): Promise<Map<string, TransferRecord[]>> {
  const heights = blocks.map((block) => block.number);
  const rows = await database.read<TransferRecord>(getStatement(statements, 'set_transfers_of_blocks'), {
    ...{ set_id: setId, hashes: [...new Set(blocks.map((block) => hexDigits(block.hash)))] },
    ...{ from_block: Math.min(...heights), to_block: Math.max(...heights) },
  });
  const byBlock = new Map<string, TransferRecord[]>();
  for (const row of rows) byBlock.set(row.block, [...(byBlock.get(row.block) ?? []), row]);
  return byBlock;
}

function transferData(row: TransferRecord, confirmations: number | null) {
  return {
    txHash: row.tx_hash,
    blockNumber: Number(row.block_number),
    blockHash: row.block,
    txIndex: row.tx_index,
    from: row.sender,
    to: row.recipient,
    value: row.wei,
    timestamp: row.time,
    confirmations,
  };
}
