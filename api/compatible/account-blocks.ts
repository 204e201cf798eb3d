/** @source docs/compatible.md */
import { hexDigits } from '#chain/codec/hex.ts';
import { known } from '#runtime/known.ts';
import { snapshotParameters } from '#sql/snapshot.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { isTraced, type TracedDeps } from '../read/accounts/internal-calls/traced-reader.ts';
import type { ReportDeps } from '../read/query/query-turns.ts';
import type { CoverageDeps, SnapshotDeps, StoreDeps } from '../read/reader-deps.ts';
import { type EmissionDeps, emissionOfBlocks, maxEmissionBlocks } from '../read/supply/emitted.ts';
import { type CompatibleAction, CompatibleError, noTransactions } from './action.ts';
import { assertCovered, assertWhole } from './covered.ts';
import { type ListPageDeps, readInTurn, readListPage } from './list-page.ts';
import { parseAddress } from './parameters.ts';

/** The list of uncles is always empty, because the chain has no uncles. */
export const accountMinedBlocks: CompatibleAction<ListPageDeps & EmissionDeps & ReportDeps> = async (request) => {
  const { deps, parameters } = request;
  const miner = hexDigits(parseAddress(parameters));
  if (parameters.get('blocktype')?.toLowerCase() === 'uncles') throw noTransactions();
  const isLimited = deps.settings.supply.emissionMethod !== undefined;
  const newestFirst = { ...request, parameters: new Map([...parameters, ['sort', 'desc']]) };
  // reads all blocks to find those of one producer
  return readInTurn(newestFirst, 'runFiltered', async (page, state) => {
    const rows = await readListPage<RowOf<'mined_blocks'>>(page, state, {
      selection: ['mined', miner],
      ...(isLimited && { rows: { fallback: maxEmissionBlocks } }),
      place: (row) => ({ block: Number(row.block_number), index: 0 }),
      read: ({ fromBlock, toBlock }, after, limit) =>
        page.deps.database.read('mined_blocks', {
          ...snapshotParameters(state),
          miner,
          from_block: fromBlock,
          to_block: Math.min(toBlock, after.block - 1),
          limit,
        }),
    });
    if (rows.length === 0) throw noTransactions();
    if (isLimited && rows.length > maxEmissionBlocks)
      throw new CompatibleError(`Error! a page has at most ${maxEmissionBlocks} blocks: send a smaller offset`);
    const refs = rows.map((row) => ({
      number: Number(row.block_number),
      hash: row.hash_hex,
      parentHash: row.parent_hex,
      producer: `0x${miner}`,
    }));
    const emitted = await emissionOfBlocks(deps, state, refs);
    return rows.map((row) => ({
      blockNumber: row.block_number,
      timeStamp: String(row.time),
      blockReward: String(BigInt(row.reward) + known(emitted.get(Number(row.block_number)), 'the emission of a block')),
    }));
  });
};

/**
 * The account's first incoming transfer of the coin: a transaction, or an internal transfer in a traced block. An
 * earlier funding in an untraced block is not found.
 */
export const accountFundedBy: CompatibleAction<SnapshotDeps & StoreDeps & CoverageDeps & TracedDeps> = async ({
  deps,
  parameters,
}) => {
  const address = parseAddress(parameters);
  return deps.snapshots.run(async (state) => {
    // a missing block may contain an earlier funding
    if (state.startBlock > 0)
      throw new CompatibleError(
        `Error! The index begins with block ${state.startBlock}: earlier blocks may fund the account`,
      );
    const bound = { ...snapshotParameters(state), address: hexDigits(address) };
    const [own, internal, ranges] = await Promise.all([
      deps.database.readBinary('first_funding', bound),
      deps.database.readBinary('first_internal_funding', bound),
      deps.traced.ranges(state),
    ]);
    const [row] = [...own, ...internal].sort(
      (a, b) => Number(a.block_number) - Number(b.block_number) || a.tx_index - b.tx_index,
    );
    assertCovered(deps, state, 0, row ? Number(row.block_number) : state.head);
    if (!row && !isTraced(ranges, state, 0, state.head))
      throw new CompatibleError(
        'No transaction funded this account. Internal transfers are known only where blocks are traced (TRACES)',
      );
    if (!row) throw noTransactions();
    return {
      block: Number(row.block_number),
      timeStamp: String(row.timestamp),
      fundingAddress: row.from,
      fundingTxn: row.tx_hash,
      value: row.value,
    };
  });
};

/**
 * Returns an empty list if no block has validator withdrawals. Otherwise fails, because their recipients are not
 * stored.
 */
export const noWithdrawals: CompatibleAction<SnapshotDeps & StoreDeps & CoverageDeps> = ({ deps }) =>
  deps.snapshots.run(async (state) => {
    assertWhole(deps, state);
    const [first] = await deps.database.read('first_withdrawal', snapshotParameters(state));
    if (!first) throw noTransactions();
    throw new CompatibleError(
      `Error! The chain has validator withdrawals since block ${first.number}, but the index does not list them`,
    );
  });
