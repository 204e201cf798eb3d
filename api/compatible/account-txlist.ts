/** All values in the rows of the action txlist are strings. @source docs/compatible.md */

import type { Interface, InterfaceAbi } from 'ethers';
import { hexDigits } from '#chain/codec/hex.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { roleMasks } from '../read/accounts/history-shape.ts';
import type { HistoryDeps } from '../read/accounts/read-history.ts';
import { countConfirmations } from '../read/chain/finality.ts';
import { getPosition } from '../read/chain/paging.ts';
import { EntryBudget, findFunction, parseAbi } from '../read/contracts/parse-abi.ts';
import type { SignatureDeps } from '../read/contracts/signatures/signatures.ts';
import type { VerifiedContracts } from '../read/contracts/verified-contracts.ts';
import type { ReportDeps } from '../read/query/query-turns.ts';
import type { StoreDeps } from '../read/reader-deps.ts';
import type { HistoryRecord } from '../terms/records.ts';
import { type CompatibleAction, CompatibleError, noTransactions } from './action.ts';
import { joinReaders, type ListPageDeps, type ListQuery, readInTurn, readListPage } from './list-page.ts';
import { hasSide, parseOptionalAddress, type SideFilter, sideFilter } from './parameters.ts';
import { type CallRecord, callsAt, type PlacesDeps } from './places.ts';

/** Maximum contracts whose verified ABIs are read for one list. */
const maxVerified = 100;

interface TxlistDeps extends ListPageDeps, HistoryDeps, PlacesDeps, SignatureDeps, ReportDeps {
  readonly verified: VerifiedContracts;
}

interface Stream {
  readonly address: string;
  readonly mask: number;
  readonly counterparty?: string | undefined;
}

export const accountTxlist: CompatibleAction<TxlistDeps> = async (request) => {
  const { parameters } = request;
  const [address, sides] = [parseOptionalAddress(parameters, 'address'), sideFilter(parameters)];
  const streams = buildStreams(address, sides);
  const isFiltered = streams.length > 0 && hasSide(sides);
  return readInTurn(request, isFiltered ? 'runFiltered' : undefined, async (page, state) => {
    const { deps } = page;
    const read = joinReaders<HistoryRecord>(
      streams.map((stream) => createReader(deps, state, stream)),
      getPosition,
    );
    const rows =
      streams.length === 0
        ? []
        : await readListPage<HistoryRecord>(page, state, {
            selection: ['txlist', address, sides],
            read,
            place: getPosition,
          });
    if (rows.length === 0) throw noTransactions();
    const getCall = await callsAt(deps, state, rows);
    const getName = await readFunctionNames(deps, rows);
    return rows.map((row) => ({ ...txlistRow(state, row, getCall(row)), functionName: getName(row) }));
  });
};

function buildStreams(address: string | undefined, { from, to, isEither }: SideFilter): Stream[] {
  if (from === undefined && to === undefined) {
    if (address === undefined) throw new CompatibleError('Error! Missing address');
    return [{ address, mask: roleMasks.from | roleMasks.to }];
  }
  const sent = (other?: string): Stream[] =>
    from === undefined ? [] : [{ address: from, mask: roleMasks.from, counterparty: other }];
  const received = (other?: string): Stream[] =>
    to === undefined ? [] : [{ address: to, mask: roleMasks.to, counterparty: other }];
  if (from !== undefined && to !== undefined && !isEither)
    return address === undefined || address === from || address === to ? sent(to) : [];
  return [...sent(address === from ? undefined : address), ...received(address === to ? undefined : address)];
}

const between = { asc: 'history_between_asc', desc: 'history_between_desc' } as const;

function createReader(
  deps: HistoryDeps & StoreDeps,
  state: ChainState,
  { address, mask, counterparty }: Stream,
): ListQuery<HistoryRecord>['read'] {
  if (counterparty === undefined)
    return (window, after, count) => deps.accountHistory.read(state, { address, mask, ...window }, after, count);
  return ({ order, fromBlock, toBlock }, after, limit) =>
    deps.database.readBinary(between[order], {
      ...snapshotParameters(state),
      address: hexDigits(address),
      counterparty: hexDigits(counterparty),
      role_mask: mask,
      from_block: fromBlock,
      to_block: toBlock,
      at_block: after.block,
      at_index: after.index,
      limit,
    });
}

function txlistRow(state: ChainState, row: HistoryRecord, call: CallRecord) {
  return {
    blockNumber: row.block_number,
    timeStamp: String(row.timestamp),
    hash: row.tx_hash,
    nonce: row.nonce,
    blockHash: row.block_hash,
    transactionIndex: String(row.tx_index),
    from: row.from,
    to: row.to ?? '',
    value: row.value,
    gas: row.gas_limit,
    gasPrice: row.gas_price,
    isError: row.status === 0 ? '1' : '0',
    txreceipt_status: row.status === null ? '' : String(row.status),
    input: call.input,
    contractAddress: row.contract_address ?? '',
    cumulativeGasUsed: call.cumulative_gas_used,
    gasUsed: row.gas_used,
    confirmations: String(countConfirmations(state, Number(row.block_number))),
    methodId: row.method_id,
  };
}

/**
 * Returns a function that names the called function of a row, such as transfer(address to, uint256 value), from the
 * verified ABI (for a limited number of contracts and entries) or a known signature. Empty if unknown.
 */
async function readFunctionNames({ verified, signatures }: TxlistDeps, rows: readonly HistoryRecord[]) {
  const called = new Set(rows.flatMap(({ to, method_id }) => (to !== null && method_id !== '0x' ? [to] : [])));
  const [known, methodNames] = await Promise.all([
    verified.interfaces([...called].slice(0, maxVerified)),
    signatures.methodNames(rows.map(({ method_id }) => method_id)),
  ]);
  const abis = new Map<string, Interface>();
  const budget = new EntryBudget();
  for (const [address, { abi }] of known) if (budget.admits([abi])) abis.set(address, parseAbi(abi as InterfaceAbi));
  return ({ to, method_id }: HistoryRecord): string => {
    if (to === null) return '';
    const abi = abis.get(to);
    const fragment = abi && findFunction(abi, method_id);
    if (!fragment) return methodNames(method_id)?.declaration ?? '';
    const inputs = fragment.inputs.map(({ type, name }) => (name ? `${type} ${name}` : type));
    return `${fragment.name}(${inputs.join(', ')})`;
  };
}
