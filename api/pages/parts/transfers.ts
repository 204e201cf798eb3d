import type { z } from 'zod';
import { type Html, html } from '../../drawing/html.ts';
import type { TokenName } from '../../read/tokens/token-names.ts';
import type { Transfer } from '../../routes/tokens/transfer.ts';
import type { PageRequest } from '../page.ts';
import { chainText } from './chain-text.ts';
import { addressLink, blockLink, partyLink, shortHex, txLink } from './links.ts';
import { unitsAmount } from './number.ts';
import { type Column, table } from './table.ts';
import { when } from './time.ts';

type TransferRow = z.infer<typeof Transfer>;
export type Names = ReadonlyMap<string, TokenName>;

type Moved = Pick<TransferRow, 'token' | 'standard' | 'tokenId' | 'value'>;

export function movedView(moved: Moved, names: Names, coin: string, isContractKnown = false): Html {
  const name = names.get(moved.token);
  const symbol = chainText(name?.symbol ?? null, coin, 'symbol');
  const contract = !isContractKnown && addressLink(moved.token, moved.standard === 'erc20' ? 'token' : 'nft');
  if (moved.tokenId === null) return html`${unitsAmount(moved.value, name?.decimals ?? null, symbol)} ${contract}`;
  const count = moved.standard === 'erc1155' && html`${unitsAmount(moved.value, 0)} × `;
  return html`${count}<span title="token id ${moved.tokenId}">#${shortHex(moved.tokenId, 12, 6)}</span> ${symbol} ${contract}`;
}

export function transferTable(
  { coin, now }: PageRequest,
  rows: readonly TransferRow[],
  names: Names,
  { self, empty, isOfToken }: { self?: string; empty: string; isOfToken?: boolean },
): Html {
  const columns: Column<TransferRow>[] = [
    { title: 'Transaction', cell: (row) => html`${txLink(row.txHash)}<small>${row.kind}</small>` },
    { title: 'Block', cell: (row) => html`${blockLink(row.blockNumber)}` },
    { title: 'Time', cell: (row) => when(row.timestamp, now) },
    { title: 'From', cell: (row) => partyLink(row.from, self) },
    { title: 'To', cell: (row) => partyLink(row.to, self) },
    { title: 'Amount', cell: (row) => movedView(row, names, coin, isOfToken) },
  ];
  return table({ caption: 'Token transfers', columns, rows, empty });
}
