/** @source docs/compatible.md */

import type { ChainState } from '#sql/snapshot.ts';
import { countConfirmations } from '../read/chain/finality.ts';
import type { ScanDeps } from '../read/chain/scan-budget.ts';
import type { SignatureDeps } from '../read/contracts/signatures/signatures.ts';
import type { ReportDeps } from '../read/query/query-turns.ts';
import type { NodeDeps, StoreDeps } from '../read/reader-deps.ts';
import { type TransferSelection, transferReader } from '../read/tokens/read-transfers.ts';
import type { RecentTransfersDeps } from '../read/tokens/recent-transfers.ts';
import { readAllTokenNames, readTokenNames, type TokenName } from '../read/tokens/token-names.ts';
import { transferPlace } from '../read/tokens/transfer-place.ts';
import type { TransferRecord } from '../terms/records.ts';
import { type CompatibleAction, CompatibleError, type CompatibleRequest, noTransactions } from './action.ts';
import { joinReaders, type ListPageDeps, type ListQuery, readInTurn, readListPage } from './list-page.ts';
import { hasSide, parseOptionalAddress, type SideFilter, sideFilter } from './parameters.ts';
import { type PlacedTransaction, type PlacesDeps, transactionsAt } from './places.ts';

type Standard = TransferRecord['standard'];

export const accountTransfers =
  (
    standard: Standard,
  ): CompatibleAction<ListPageDeps & ScanDeps & RecentTransfersDeps & SignatureDeps & PlacesDeps & ReportDeps> =>
  async (request) => {
    const { parameters } = request;
    const [address, token] = [
      parseOptionalAddress(parameters, 'address'),
      parseOptionalAddress(parameters, 'contractaddress'),
    ];
    const sides = sideFilter(parameters);
    const selections = buildSelections(address, sides).map((selection) => ({ ...selection, token, standard }));
    if (selections.some((one) => !one.address && !one.from && !one.to && !token))
      throw new CompatibleError('Error! Missing address');
    // most transfers are ERC-20, so other standards can be rare among them
    const filters = [address !== undefined, token !== undefined, standard !== 'erc20'].filter(Boolean).length;
    const isFiltered = selections.length > 0 && (filters > 1 || hasSide(sides));
    return readInTurn(request, isFiltered ? 'runFiltered' : undefined, async (page, state) => {
      const { deps } = page;
      const readers = selections.map((selection): ListQuery<TransferRecord>['read'] => (window, after, count) => {
        return transferReader(deps, state, selection, window.order, window)(after, count);
      });
      const read = joinReaders<TransferRecord>(readers, transferPlace);
      const selection = [standard, address, token, sides];
      const rows =
        readers.length === 0 ? [] : await readListPage(page, state, { selection, read, place: transferPlace });
      if (rows.length === 0) throw noTransactions();
      return completeRows(request, state, standard, rows);
    });
  };

function buildSelections(address: string | undefined, { from, to, isEither }: SideFilter): TransferSelection[] {
  const isBoth = from !== undefined && to !== undefined;
  if (isBoth && isEither)
    return [...buildSelections(address, { from, isEither }), ...buildSelections(address, { to, isEither })];
  if (isBoth && address !== undefined && address !== from && address !== to) return [];
  return [{ address, from, to }];
}

async function completeRows(
  { deps, charge }: CompatibleRequest<StoreDeps & Pick<NodeDeps, 'client'> & SignatureDeps & PlacesDeps>,
  state: ChainState,
  standard: Standard,
  rows: readonly TransferRecord[],
) {
  const tokens = rows.map((row) => row.token);
  const [getTransaction, names] = await Promise.all([
    transactionsAt(deps, state, rows),
    standard === 'erc20'
      ? readAllTokenNames(deps, state, tokens, (cost) => charge(cost, 0))
      : readTokenNames(deps, tokens),
  ]);
  const methodNames = await deps.signatures.methodNames(rows.map((row) => getTransaction(row).method_id));
  return rows.map((row) => {
    const transaction = getTransaction(row);
    const functionName = methodNames(transaction.method_id)?.declaration ?? '';
    return { ...transferRow(state, standard, row, transaction, names.get(row.token)), functionName };
  });
}

function transferRow(
  state: ChainState,
  standard: Standard,
  row: TransferRecord,
  transaction: PlacedTransaction,
  token: TokenName | undefined,
) {
  const names = { tokenName: token?.name ?? '', tokenSymbol: token?.symbol ?? '' };
  const moved = {
    erc20: { value: row.value, ...names, tokenDecimal: String(token?.decimals ?? '') },
    erc721: { tokenID: row.token_id, ...names, tokenDecimal: '0' },
    erc1155: { tokenID: row.token_id, tokenValue: row.value, ...names },
  };
  return {
    blockNumber: row.block_number,
    timeStamp: String(row.timestamp),
    hash: row.tx_hash,
    nonce: transaction.nonce,
    blockHash: transaction.block_hash,
    from: row.from,
    contractAddress: row.token,
    to: row.to,
    ...moved[standard],
    transactionIndex: String(row.tx_index),
    gas: transaction.gas_limit,
    gasPrice: transaction.gas_price,
    gasUsed: transaction.gas_used,
    cumulativeGasUsed: transaction.cumulative_gas_used,
    input: 'deprecated',
    methodId: transaction.method_id,
    confirmations: String(countConfirmations(state, Number(row.block_number))),
    logIndex: String(row.log_index),
    ...(standard === 'erc1155' ? { batchIndex: String(row.batch_index) } : {}),
  };
}
