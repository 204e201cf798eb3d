/**
 * Makes the events of transfers to watched addresses. Events depend only on the order of added and removed blocks, so a
 * replay returns the same events.
 */

import { hexDigits } from '#chain/codec/hex.ts';
import { groupBy } from '#runtime/lists.ts';
import type { ChainState } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { hiddenBlocks } from '../chain/block-ranges.ts';
import { describeGap } from '../chain/freshness.ts';
import type { SnapshotDeps, StoreDeps } from '../reader-deps.ts';
import type { AddressSets } from './address-sets.ts';
import type { AnchorEvent } from './anchor-events.ts';
import { type Added, Ripening } from './ripening.ts';
import { requiredConfirmations } from './rules.ts';
import { anchorEvent, type EventsOf, type StreamEvent } from './stream-event.ts';

/** Earlier added and removed blocks that a stream reads first; enough for most reorgs. */
const lookBack = 20_000;

/**
 * Offset in ids of creditable events. Ids contain this offset plus the transaction index, so they do not depend on the
 * addresses of the set.
 */
const ripeParts = 1_000_000;
const useEveryMs = 3_600_000;

/** Makes the events of an address set, and records hourly that the set is in use. */
export function setEvents(
  deps: StoreDeps & SnapshotDeps & { readonly addressSets: AddressSets },
  setId: string,
): EventsOf {
  const eventsOf = transferEvents(deps, setId, { withSenders: false });
  let usedAt = Date.now();
  return async (steps) => {
    if (Date.now() - usedAt > useEveryMs) {
      await deps.addressSets.require(setId);
      usedAt = Date.now();
    }
    return (await eventsOf(steps)).flat();
  };
}

interface TransferChoice {
  /** Also makes events of transfers from the addresses. */
  readonly withSenders: boolean;
  /** Makes further events of blocks that became creditable, one list per step. */
  readonly moreOf?: (
    ripened: readonly (Added | undefined)[],
    steps: readonly AnchorEvent[],
  ) => Promise<StreamEvent[][]>;
}

/**
 * Makes the events of transfers to a set, one list per step (added or removed block). Expects all steps, in order.
 * @throws ApiProblem indexing while a block is hidden
 */
export function transferEvents(deps: StoreDeps & SnapshotDeps, setId: string, { withSenders, moreOf }: TransferChoice) {
  const ripening = new Ripening((fromBlock, toBlock, before) => readAdded(deps, fromBlock, toBlock, before));
  return async (steps: readonly AnchorEvent[]): Promise<StreamEvent[][]> => {
    const ripened = await ripening.ripenedBy(steps);
    const blocks = [...steps, ...ripened.filter((block) => block !== undefined)];
    const [transfers, more] = await Promise.all([
      readTransfers(deps, setId, blocks, withSenders),
      moreOf?.(ripened, steps),
    ]);
    return steps.map((step, i) => {
      const name = step.kind === 'added' ? 'transfer.seen' : 'transfer.removed';
      const own = (transfers.get(step.hash) ?? []).map((row) => ({
        id: `${step.sequence}-${1 + row.tx_index}`,
        name,
        data: transferData(row, step.kind === 'added' ? 0 : null),
      }));
      // a transfer to the sender itself is never creditable, because the balance does not change
      const moved = (transfers.get(ripened[i]?.hash ?? '') ?? []).filter((row) => row.sender !== row.recipient);
      const ripe = moved.map((row) => ({
        id: `${step.sequence}-${ripeParts + row.tx_index}`,
        name: 'transfer.creditable',
        data: transferData(row, requiredConfirmations),
      }));
      return [anchorEvent(step, 0), ...own, ...ripe, ...(more?.[i] ?? [])];
    });
  };
}

async function readAdded(
  { database }: StoreDeps,
  fromBlock: number,
  toBlock: number,
  before: number,
): Promise<Added[]> {
  const read = (maxSteps: number) =>
    database.read('earlier_anchors', { before, look_back: maxSteps, from_block: fromBlock, to_block: toBlock });
  const recent = await read(lookBack);
  // reads all steps if the recent ones lack a block: events must not depend on where the stream starts
  const isComplete = recent.length === toBlock - fromBlock + 1 || before <= lookBack;
  const rows = isComplete ? recent : await read(before);
  return rows.map((row) => ({
    sequence: Number(row.sequence),
    number: Number(row.block_number),
    hash: row.block_hash,
  }));
}

async function readTransfers(
  { database, snapshots }: StoreDeps & SnapshotDeps,
  setId: string,
  blocks: readonly { readonly number: number; readonly hash: string }[],
  withSenders: boolean,
): Promise<Map<string, RowOf<'set_transfers_of_blocks'>[]>> {
  const heights = blocks.map((block) => block.number);
  const rows = await snapshots.run((state) => {
    assertShown(state, heights);
    return database.read('set_transfers_of_blocks', {
      set_id: setId,
      hashes: [...new Set(blocks.map((block) => hexDigits(block.hash)))],
      from_block: Math.min(...heights),
      to_block: Math.max(...heights),
      with_senders: withSenders ? 1 : 0,
    });
  });
  return groupBy(rows, ({ block }) => block);
}

/**
 * Asserts that no repair hides one of the blocks: without their rows, events would be lost for good.
 * @throws ApiProblem indexing
 */
export function assertShown(state: ChainState, heights: readonly number[]): void {
  const hidden = hiddenBlocks(state).find(({ from, to }) => heights.some((height) => from <= height && height <= to));
  if (hidden) throw new ApiProblem('indexing', describeGap(state, hidden));
}

function transferData(row: RowOf<'set_transfers_of_blocks'>, confirmations: number | null) {
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
