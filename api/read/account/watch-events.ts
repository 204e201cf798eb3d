/** Makes the events of watched addresses: sent and received coins, and token transfers. */
import { hexDigits } from '#chain/codec/hex.ts';
import { groupBy } from '#runtime/lists.ts';
import { snapshotParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import type { Added } from '../deposits/ripening.ts';
import { transferEvents } from '../deposits/set-events.ts';
import { readShown } from '../deposits/shown-steps.ts';
import type { ReadEvents, StreamEvent } from '../deposits/stream-event.ts';
import type { SnapshotDeps, StoreDeps } from '../reader-deps.ts';

/**
 * Offset of the part numbers of token events, whose ids must differ from those of coin transfers. The ids never change,
 * because the addresses of a watch never change.
 */
const tokenParts = 100_000_000;

/**
 * A coin transfer has several events. A token transfer has one, after its block has enough confirmations.
 * @param watched addresses of the watch, in lower case
 */
export function watchEvents(deps: StoreDeps & SnapshotDeps, watchId: string, watched: ReadonlySet<string>): ReadEvents {
  const readEvents = transferEvents(deps, watchId, {
    withSenders: true,
    readMore: async ({ ripened, steps, heights }) => {
      const blocks = ripened.filter((block) => block !== undefined);
      const transfers = await readTokenTransfers(deps, watchId, blocks, heights);
      return ripened.map((block, i) =>
        (transfers.get(block?.hash ?? '') ?? []).map((row, at) =>
          tokenEvent(`${steps[i]?.sequence}-${tokenParts + at}`, row),
        ),
      );
    },
  });
  return async (given) => {
    const { events, through } = await readEvents(given);
    const transfers = events.filter(({ name }) => !name.startsWith('anchor.'));
    return { events: transfers.map((event) => withDirection(event, watched)), through };
  };
}

/** Adds whether the transfer goes to a watched address (`in`), comes from one (`out`), or both. */
function withDirection(event: StreamEvent, watched: ReadonlySet<string>): StreamEvent {
  const data = event.data as { readonly from: string; readonly to: string };
  const isIn = watched.has(data.to);
  const direction = isIn && watched.has(data.from) ? 'both' : isIn ? 'in' : 'out';
  return { ...event, data: { ...data, direction } };
}

async function readTokenTransfers(
  deps: StoreDeps & SnapshotDeps,
  watchId: string,
  blocks: readonly Added[],
  heights: readonly number[],
) {
  if (blocks.length === 0) return new Map<string, RowOf<'watched_token_transfers'>[]>();
  const numbers = blocks.map((block) => block.number);
  const rows = await readShown(deps, heights, (state) =>
    deps.database.read('watched_token_transfers', {
      ...snapshotParameters(state),
      set_id: watchId,
      hashes: blocks.map(({ hash }) => hexDigits(hash)),
      from_block: Math.min(...numbers),
      to_block: Math.max(...numbers),
    }),
  );
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
      batchIndex: row.batch_index,
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
