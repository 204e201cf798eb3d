import type { z } from 'zod';
import { grouped } from '../../drawing/grouped.ts';
import { type Html, html } from '../../drawing/html.ts';
import type { getToken } from '../../routes/tokens/get-token.ts';
import type { PageRequest } from '../page.ts';
import { chainText } from '../parts/chain-text.ts';
import { facts, figures } from '../parts/facts.ts';
import { checksummed, copyable } from '../parts/links.ts';
import { amountOfToken } from '../parts/number.ts';
import { age } from '../parts/time.ts';

export type TokenReply = z.infer<typeof getToken.response>;

const standards = { erc20: 'ERC-20', erc721: 'ERC-721', erc1155: 'ERC-1155' } as const;

export function tokenHead(token: TokenReply, { coin, now }: PageRequest): Html {
  const { decimals, reconciliation, standard } = token;
  const symbol = token.symbol !== null && chainText(token.symbol, coin, 'symbol');
  const address = checksummed(token.address);
  const isWhole = standard !== 'erc20';
  const current = reconciliation.totalSupply;
  const [supply, block] = current === null ? [token.totalSupply, token.supplyBlock] : [current, reconciliation.block];
  return html`<div class="title"><h1>${chainText(token.name, coin)} <span class="muted">${symbol}</span></h1>
<p><span class="hex whole">${address}</span>${copyable(address, 'contract address')}</p></div>
<div id="state">${figures([
    ['Standard', standards[standard]],
    ['Holders', grouped(token.holders)],
    ['Transfers', grouped(token.transfers), html`${grouped(token.transfers24h)} in 24 hours`],
    supply === null
      ? isWhole
        ? ['Held by accounts', amountOfToken(reconciliation.heldTotal, token)]
        : ['Supply', '–']
      : ['Supply', amountOfToken(supply, token), block !== null && `at block ${grouped(block)}`],
    ['First seen', age(token.firstSeen, now)],
  ])}</div>${facts([
    !isWhole && ['Decimals', decimals === null ? 'not reported by the contract' : decimals],
    (reconciliation.reconciled !== null || !isWhole) && ['Balances', sumView(token)],
    ['Contract', html`<a class="hex whole" href="/address/${address}">${address}</a>`],
  ])}`;
}

function sumView({ reconciliation: { reconciled, heldTotal, totalSupply }, decimals, standard }: TokenReply): Html {
  const held = amountOfToken(heldTotal, { standard, decimals });
  if (reconciled === null)
    return html`${held} held in total; ${
      totalSupply === null
        ? 'the supply of the contract is unknown, so it cannot be compared'
        : 'not compared with the supply, because blocks are missing in the index or in doubt'
    }`;
  return reconciled
    ? html`<span class="badge good">Match</span> the sum of all balances equals the supply exactly`
    : html`<span class="badge wait">Differ</span> the balances computed from transfers add up to ${held}, but the contract reports another supply`;
}
