import type { InternalDeps } from '../../compatible/account-internal.ts';
import { type Html, html } from '../../drawing/html.ts';
import { type BalanceChange, balanceChanges, type TokenChange } from '../../read/accounts/balance-changes.ts';
import { partyLink } from '../parts/links.ts';
import { exactAmount } from '../parts/number.ts';
import { table } from '../parts/table.ts';
import { movedView, type Names } from '../parts/transfers.ts';
import { readRowsOrReason } from './internal-calls.ts';
import type { ChargedBlock, Detail } from './overview.ts';

interface ChangesRequest {
  readonly transaction: Detail;
  readonly block: ChargedBlock;
  readonly names: Names;
  readonly coin: string;
}

/** Shows all balance changes, or why they are unknown. */
export async function balanceChangesView(deps: InternalDeps, request: ChangesRequest): Promise<Html> {
  const { transaction, block, names, coin } = request;
  if (transaction.logCount > transaction.logs.length)
    return html`<p class="empty">The transaction has too many logs for this page. Add up the token transfers of the API instead.</p>`;
  const internal = await readRowsOrReason(deps, transaction.txHash);
  const isTraced = typeof internal !== 'string';
  const rows = balanceChanges(transaction, {
    ...block,
    internal: isTraced ? internal.map(({ row }) => row) : [],
  });
  return html`<p class="muted">What this transaction added to each account and took from it: value, fee, internal transfers and token transfers.${block.baseFee !== undefined && ' The base fee is burned, so the coin changes add up to less than zero.'}</p>${
    !isTraced && html`<p class="notice">Coins that contracts sent are missing here. ${internal}.</p>`
  }${table<BalanceChange>({
    caption: 'Balance changes',
    rows,
    empty: 'The transaction changed no balance.',
    columns: [
      { title: 'Account', cell: ({ address }) => renderRole(address, transaction, block) },
      {
        title: coin,
        isNumber: true,
        cell: ({ coin: wei }) => wei !== 0n && signed(wei, exactAmount(String(abs(wei)), 18)),
      },
      {
        title: 'Tokens',
        cell: ({ tokens }) =>
          html`${[...tokens.values()].map((token) => html`<div>${tokenChange(token, names, coin)}</div>`)}`,
      },
    ],
  })}`;
}

function renderRole(address: string, { from, to }: Detail, { producer }: ChargedBlock): Html {
  const roles = [address === from && 'sender', address === to && 'recipient', address === producer && 'block producer'];
  return html`${partyLink(address)} <small>${roles.filter(Boolean).join(', ')}</small>`;
}

const abs = (value: bigint) => (value < 0n ? -value : value);

function signed(delta: bigint, shown: Html | string): Html {
  return html`<span class="${delta < 0n ? 'less' : 'more'}">${delta < 0n ? '−' : '+'}${shown}</span>`;
}

function tokenChange({ token, standard, tokenId, delta }: TokenChange, names: Names, coin: string): Html {
  return signed(delta, movedView({ token, standard, tokenId, value: String(abs(delta)) }, names, coin));
}
