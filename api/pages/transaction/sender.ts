import { grouped } from '../../drawing/grouped.ts';
import { type Html, html } from '../../drawing/html.ts';
import type { AccountReader } from '../../read/accounts/account-reader.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { returnProblem } from '../ask.ts';
import { facts } from '../parts/facts.ts';
import { exactCoin } from '../parts/number.ts';
import type { Detail } from './overview.ts';

export interface SenderDeps {
  readonly accounts: AccountReader;
}

/** Shows the sender's account before and after the block of the transaction, from a node. */
export async function senderView(
  { accounts }: SenderDeps,
  { from, blockNumber, blockHash }: Detail,
  parentHash: string,
  coin: string,
): Promise<Html> {
  const read = async () => {
    if (blockNumber === 0) return undefined;
    return Promise.all([accounts.read(from, blockNumber - 1, parentHash), accounts.read(from, blockNumber, blockHash)]);
  };
  const states = await read().catch(returnProblem);
  if (states === undefined) return html``;
  if (states instanceof ApiProblem)
    return html`<h2>Account of the sender</h2><p class="empty">Unknown: ${states.detail}.</p>`;
  const [before, after] = states;
  return html`<h2>Account of the sender</h2><p class="muted">State before and after the block, read from a node. The difference includes other transactions of the block.</p>${facts(
    [
      ['Kind', kinds[before.type]],
      ['Balance before', exactCoin(before.balance, coin)],
      ['Balance after', exactCoin(after.balance, coin)],
      ['Nonce before', grouped(before.nonce)],
      ['Nonce after', grouped(after.nonce)],
    ],
  )}`;
}

const kinds = {
  eoa: 'account without code',
  contract: 'contract',
  eip7702: 'account that delegates to a contract (EIP-7702)',
} as const;
