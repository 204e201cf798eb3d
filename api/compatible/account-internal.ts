/**
 * The action txlistinternal reads traced blocks from the index. For a transaction in an untraced block, it asks a node
 * for a trace.
 * @source docs/deposits.md#internal-transfers
 */
import { hexToText } from '#chain/codec/hex.ts';
import { type ChainState, isDoubted } from '#sql/snapshot.ts';
import {
  type InternalRecord,
  type InternalSelection,
  internalCallPosition,
  internalReader,
  readInternalOfTransaction,
} from '../read/accounts/internal-calls/read-internal.ts';
import { type TraceDeps, traceLive } from '../read/accounts/internal-calls/trace-live.ts';
import { isTraced, type TracedDeps, tracedWithin } from '../read/accounts/internal-calls/traced-reader.ts';
import { describeGap } from '../read/chain/freshness.ts';
import { findByHash } from '../read/chain/reach-block.ts';
import type { TransactionReader } from '../read/chain/transaction-reader.ts';
import type { ReportDeps } from '../read/query/query-turns.ts';
import type { CoverageDeps, SnapshotDeps, StoreDeps } from '../read/reader-deps.ts';
import { type CompatibleAction, CompatibleError, type CompatibleRequest, noTransactions } from './action.ts';
import { notIndexed } from './covered.ts';
import {
  joinReaders,
  type ListPageDeps,
  type ListQuery,
  type ListWindow,
  readInTurn,
  readListPage,
} from './list-page.ts';
import { hasSide, parseHash, parseOptionalAddress, type SideFilter, sideFilter } from './parameters.ts';

export type InternalDeps = TracedDeps &
  TraceDeps &
  StoreDeps &
  CoverageDeps &
  SnapshotDeps & { readonly transactions: TransactionReader };

export const accountInternal: CompatibleAction<ListPageDeps & InternalDeps & ReportDeps> = async (request) => {
  if (!request.parameters.get('txhash')) return ofAccountOrBlocks(request);
  const rows = await readInternalRows(request.deps, parseHash(request.parameters));
  request.proof.isCovered = true; // the transaction is known and its trace has no internal calls
  if (rows.length === 0) throw noTransactions();
  return rows.map(({ row }) => row);
};

/**
 * Returns the internal calls of a transaction in execution order.
 * @throws CompatibleError if the transaction is unknown or has no trace
 */
export async function readInternalRows(deps: InternalDeps, hash: string) {
  const { found } = await findByHash(deps, hash, async (state) => {
    const transaction = await deps.transactions.find(state, hash);
    if (!transaction) return undefined;
    const block = Number(transaction.block_number);
    if (isDoubted(state, block)) throw notIndexed(describeGap(state, { from: block, to: block }));
    const isIndexed = isTraced(await deps.traced.ranges(state), state, block, block);
    return { transaction, indexed: isIndexed ? await readInternalOfTransaction(deps, state, transaction) : undefined };
  });
  if (!found) throw noTransactions();
  const { transaction, indexed } = found;
  if (indexed) return indexed.map((record) => ({ row: internalRow(record), isIndexed: true }));
  // trace outside the snapshot: a trace can be slow, and a reorg would repeat all work inside it
  const calls = await traceLive(deps, transaction);
  if (!calls)
    throw new CompatibleError(
      'Internal transactions are not available: the index has no trace of this block, and no node supports tracing',
    );
  return calls.map((record) => ({ row: internalRow(record), isIndexed: false }));
}

async function ofAccountOrBlocks(request: CompatibleRequest<ListPageDeps & TracedDeps & ReportDeps>) {
  const { parameters } = request;
  const [address, sides] = [parseOptionalAddress(parameters, 'address'), sideFilter(parameters)];
  const isOfBlocks = !address && !sides.from && !sides.to;
  const isBounded = ['startblock', 'endblock'].every((name) => parameters.get(name)?.trim());
  const selections = buildSelections(address, sides);
  const isFiltered = selections.length > 0 && hasSide(sides);
  return readInTurn(request, isFiltered ? 'runFiltered' : undefined, async (page, state) => {
    const { deps } = page;
    const ranges = await deps.traced.ranges(state);
    if (ranges.length === 0)
      throw new CompatibleError(
        'Internal transactions are not indexed here: set txhash to read the internal transactions of one transaction',
      );
    if (isOfBlocks && !isBounded) throw new CompatibleError('Error! Missing address');
    const readers = selections.map((selection): ListQuery<InternalRecord>['read'] => {
      const read = internalReader(deps, state, selection);
      return async (window, after, count) => {
        await assertTraced(deps, state, window);
        return read(window, after, count);
      };
    });
    const query = { selection: ['txlistinternal', address, sides], place: internalCallPosition };
    const rows =
      readers.length === 0
        ? []
        : await readListPage(page, state, { ...query, read: joinReaders(readers, internalCallPosition) });
    if (rows.length === 0) throw noTransactions();
    return rows.map((record) => ({
      ...internalRow(record),
      hash: record.tx_hash,
      traceId: hexToText(record.trace_id),
    }));
  });
}

async function assertTraced(deps: TracedDeps, state: ChainState, { fromBlock, toBlock }: ListWindow): Promise<void> {
  const ranges = await deps.traced.ranges(state);
  if (fromBlock > toBlock || toBlock < state.startBlock || isTraced(ranges, state, fromBlock, toBlock)) return;
  const traced = tracedWithin(ranges, state, 0, state.head).map(({ from, to }) =>
    to === state.head ? `from block ${from}` : `in blocks ${from} to ${to}`,
  );
  throw new CompatibleError(
    `Internal transactions are indexed ${traced.join(', ') || 'in no block yet'}: set startblock and endblock within these blocks`,
  );
}

/** Returns the queries to run. Empty: no internal call can match; `undefined`: select all calls. */
function buildSelections(
  address: string | undefined,
  { from, to, isEither }: SideFilter,
): (InternalSelection | undefined)[] {
  if (from === undefined && to === undefined) return [address === undefined ? undefined : { address }];
  const sent = (other?: string): InternalSelection[] =>
    from === undefined ? [] : [{ address: from, side: 'from', counterparty: other }];
  const received = (other?: string): InternalSelection[] =>
    to === undefined ? [] : [{ address: to, side: 'to', counterparty: other }];
  if (from !== undefined && to !== undefined && !isEither)
    return address === undefined || address === from || address === to ? sent(to) : [];
  return [...sent(address === from ? undefined : address), ...received(address === to ? undefined : address)];
}

function internalRow(record: InternalRecord) {
  const makes = record.type === 'create' || record.type === 'create2';
  const error = hexToText(record.error);
  return {
    blockNumber: record.block_number,
    timeStamp: String(record.timestamp),
    from: record.from,
    to: makes ? '' : (record.to ?? ''),
    value: record.value,
    contractAddress: makes ? (record.to ?? '') : '',
    input: '',
    type: record.type,
    gas: record.gas,
    gasUsed: record.gas_used,
    isError: error === '' ? '0' : '1',
    errCode: error,
  };
}

export type InternalRow = ReturnType<typeof internalRow>;
