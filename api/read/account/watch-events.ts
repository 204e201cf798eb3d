/** Makes the events of watched addresses: sent and received coins, and token transfers. */
import { hexDigits } from '#chain/codec/hex.ts';
import { groupBy } from '#runtime/lists.ts';
import { snapshotParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import type { Added } from '../deposits/ripening.ts';
import { assertShown, transferEvents } from '../deposits/set-events.ts';
import type { EventsOf, StreamEvent } from '../deposits/stream-event.ts';
import type { SnapshotDeps, StoreDeps } from '../reader-deps.ts';

/**
 * Added to the numbers of token events, so that their ids differ from those of coin transfers. Repeated reads give the
 * same ids, because the addresses of a watch never change.
 */
const tokenParts = 100_000_000;

/** A token transfer has one event, after its block has enough confirmations; a coin transfer has several events. */
export function watchEvents(deps: StoreDeps & SnapshotDeps, watchId: string): EventsOf {
  const eventsOf = transferEvents(deps, watchId, {
    withSenders: true,
    moreOf: async (ripened, steps) => {
      const blocks = ripened.filter((block) => block !== undefined);
      const transfers = await readTokenTransfers(deps, watchId, blocks);
      return ripened.map((block, i) =>
        (transfers.get(block?.hash ?? '') ?? []).map((row, at) =>
          tokenEvent(`${steps[i]?.sequence}-${tokenParts + at}`, row),
        ),
      );
    },
  });
  return async (steps) => (await eventsOf(steps)).flat().filter(({ name }) => !name.startsWith('anchor.'));
}

async function readTokenTransfers(deps: StoreDeps & SnapshotDeps, watchId: string, blocks: readonly Added[]) {
  if (blocks.length === 0) return new Map<string, RowOf<'watched_token_transfers'>[]>();
  const heights = blocks.map((block) => block.number);
  const rows = await deps.snapshots.run((state) => {
    assertShown(state, heights);
    return deps.database.read('watched_token_transfers', {
      ...snapshotParameters(state),
      set_id: watchId,
      hashes: blocks.map(({ hash }) => hexDigits(hash)),
      from_block: Math.min(...heights),
      to_block: Math.max(...heights),
    });
  });
  return groupBy(rows, ({ block }) => block);
}

function tokenEvent(id: string, row: RowOf<'watched_token_transfers'>): StreamEvent {
  return {
    id,
    name: 'token.creditable',
    data: {
      txHash: row.tx,
      blockNumber: Number(row.block_number),
      blockHash: row.block,
      logIndex: row.log_index,
      token: row.token_hex,
      standard: row.standard,
      from: row.sender,
      to: row.recipient,
      tokenId: row.standard === 'erc20' ? null : row.id,
      value: row.amount,
      timestamp: row.time,
    },
  };
}
