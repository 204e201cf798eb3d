/**
 * Makes the events of transfers to watched addresses. Events depend only on the order of added and removed blocks, so a
 * replay returns the same events.
 */

import { hexDigits } from '#chain/codec/hex.ts';
import { getLast, groupBy } from '#runtime/lists.ts';
import type { RowOf } from '#sql/statement-types.ts';
import type { SnapshotDeps, StoreDeps } from '../reader-deps.ts';
import type { AddressSets } from './address-sets.ts';
import type { AnchorEvent } from './anchor-events.ts';
import { readAdded } from './read-added.ts';
import { type Added, Ripening } from './ripening.ts';
import { requiredConfirmations } from './rules.ts';
import { readShown, shownSteps } from './shown-steps.ts';
import { anchorEvent, type ReadEvents, type StreamEvent } from './stream-event.ts';

/**
 * Ids of creditable events contain the transaction index plus this offset, so they do not depend on the set's
 * addresses.
 */
const ripeParts = 1_000_000;
const useEveryMs = 3_600_000;

/** Makes the events of an address set, and stores hourly that the set is in use. */
export function setEvents(
  deps: StoreDeps & SnapshotDeps & { readonly addressSets: AddressSets },
  setId: string,
): ReadEvents {
  const readEvents = transferEvents(deps, setId, { withSenders: false });
  let usedAt = Date.now();
  return async (steps) => {
    if (Date.now() - usedAt > useEveryMs) {
      await deps.addressSets.require(setId);
      usedAt = Date.now();
    }
    return readEvents(steps);
  };
}

interface TransferChoice {
  /** Include transfers from the addresses. */
  readonly withSenders: boolean;
  /** Makes other events of the blocks whose deposits became creditable, such as token transfers; one list per step. */
  readonly readMore?: (ripe: RipeSteps) => Promise<StreamEvent[][]>;
}

interface RipeSteps {
  /** Added or removed blocks, in order. */
  readonly steps: readonly AnchorEvent[];
  /** For each step: the older block whose deposits it made creditable, if any. */
  readonly ripened: readonly (Added | undefined)[];
  /** Heights of blocks that must be readable. */
  readonly heights: readonly number[];
}

interface TransferQuery extends Pick<RipeSteps, 'heights'> {
  readonly setId: string;
  readonly blocks: readonly { readonly number: number; readonly hash: string }[];
  readonly withSenders: boolean;
}

/**
 * Makes the events of transfers to a set. Needs all steps (added or removed blocks) in order; after an error, the same
 * steps again.
 */
export function transferEvents(
  deps: StoreDeps & SnapshotDeps,
  setId: string,
  { withSenders, readMore }: TransferChoice,
): ReadEvents {
  let unfailed: Ripening | undefined;
  return async (given) => {
    const { steps, heights } = await shownSteps(deps, given);
    const ripening =
      unfailed ?? new Ripening((fromBlock, toBlock, before) => readAdded(deps, fromBlock, toBlock, before));
    unfailed = undefined; // after an error, read the log from the database again
    const ripened = await ripening.ripenedBy(steps);
    const blocks = [...steps, ...ripened.filter((block) => block !== undefined)];
    const [transfers, more] = await Promise.all([
      readTransfers(deps, { setId, blocks, heights, withSenders }),
      readMore?.({ ripened, steps, heights }),
    ]);
    unfailed = ripening;
    const events = steps.flatMap((step, i) => {
      const name = step.kind === 'added' ? 'transfer.seen' : 'transfer.removed';
      const own = (transfers.get(step.hash) ?? []).map((row) => ({
        id: `${step.sequence}-${1 + row.tx_index}`,
        name,
        data: transferData(row, step.kind === 'added' ? 0 : null),
      }));
      // a transfer to the sender itself does not change the balance
      const moved = (transfers.get(ripened[i]?.hash ?? '') ?? []).filter((row) => row.sender !== row.recipient);
      const ripe = moved.map((row) => ({
        id: `${step.sequence}-${ripeParts + row.tx_index}`,
        name: 'transfer.creditable',
        data: transferData(row, requiredConfirmations),
      }));
      return [anchorEvent(step, 0), ...own, ...ripe, ...(more?.[i] ?? [])];
    });
    return { events, through: getLast(steps).sequence };
  };
}

async function readTransfers(
  deps: StoreDeps & SnapshotDeps,
  { setId, blocks, heights, withSenders }: TransferQuery,
): Promise<Map<string, RowOf<'set_transfers_of_blocks'>[]>> {
  const numbers = blocks.map((block) => block.number);
  const rows = await readShown(deps, heights, () =>
    deps.database.read('set_transfers_of_blocks', {
      set_id: setId,
      hashes: [...new Set(blocks.map((block) => hexDigits(block.hash)))],
      from_block: Math.min(...numbers),
      to_block: Math.max(...numbers),
      with_senders: withSenders ? 1 : 0,
    }),
  );
  return groupBy(rows, ({ block }) => block);
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
