import type { z } from 'zod';
import { type Html, html } from '../../drawing/html.ts';
import type { HistoryRow } from '../../routes/history-row.ts';
import type { Transaction } from '../../routes/transactions/transaction.ts';
import type { PageRequest } from '../page.ts';
import { roleBadges } from './badges.ts';
import { readableText } from './chain-text.ts';
import { blockLink, partyLink, txLink } from './links.ts';
import { coinAmount } from './number.ts';
import { type Column, table } from './table.ts';
import { when } from './time.ts';
import { movedCoin, worth } from './worth.ts';

type Row = z.infer<typeof Transaction> | z.infer<typeof HistoryRow>;

interface ListOptions {
  readonly empty: string;
  readonly self?: string;
  readonly isOfBlock?: boolean;
}

export function methodView({ to, methodId, methodName }: Pick<Row, 'to' | 'methodId' | 'methodName'>): Html {
  if (to === null) return html`<span class="method">contract creation</span>`;
  if (methodId === '0x') return html`<span class="method">coin transfer</span>`;
  return html`<span class="method" title="${methodId}">${methodName === null ? methodId : readableText(methodName)}</span>`;
}

export function transactionTable(
  { coin, now }: PageRequest,
  rows: readonly Row[],
  { empty, self, isOfBlock }: ListOptions,
): Html {
  const columns: (Column<Row> | false)[] = [
    { title: 'Transaction', cell: (row) => html`${txLink(row.txHash)}<small>${methodView(row)}</small>` },
    self !== undefined && {
      title: 'Role',
      cell: (row) => ('roles' in row ? roleBadges(row.roles) : ''),
    },
    !isOfBlock && { title: 'Block', cell: (row) => html`${blockLink(row.blockNumber)}` },
    isOfBlock
      ? { title: 'Position', cell: (row) => row.txIndex }
      : { title: 'Time', cell: (row) => when(row.timestamp, now) },
    { title: 'From', cell: (row) => partyLink(row.from, self) },
    { title: 'To', cell: (row) => partyLink(row.to ?? row.contractCreated, self) },
    { title: 'Value', isNumber: true, cell: (row) => valueView(row, coin) },
    { title: 'Fee', isNumber: true, cell: (row) => html`${coinAmount(row.fee, coin)}${worth(row.fee)}` },
  ];
  return table({ caption: 'Transactions', columns: columns.filter((column) => column !== false), rows, empty });
}

function valueView({ value, status }: Row, coin: string): Html {
  return html`${movedCoin(value, coin, status === 0)}${status === 0 && html`<small class="bad-text">failed</small>`}`;
}
