import type { z } from 'zod';
import { grouped } from '../../drawing/grouped.ts';
import { type Html, html } from '../../drawing/html.ts';
import { type DecodeDeps, decodeTransaction } from '../../read/contracts/decode/decode-transaction.ts';
import type { getStanding } from '../../routes/transactions/get-standing.ts';
import type { PageRequest, PageView } from '../page.ts';
import { readableText } from '../parts/chain-text.ts';
import { decodedView } from '../parts/decoded.ts';
import { facts } from '../parts/facts.ts';
import { fullAddress, fullHash, txLink } from '../parts/links.ts';
import { exactCoin, gwei } from '../parts/number.ts';
import { worth } from '../parts/worth.ts';
import { callDataView } from './call-data.ts';

/** @source EIP-4844 */
const blobType = 3;

type Standing = z.infer<typeof getStanding.response>;

/** The page reloads itself until a block contains the transaction. */
export async function pendingView(deps: DecodeDeps, { coin }: PageRequest, standing: Standing): Promise<PageView> {
  const { hash, transaction: tx, index } = standing;
  const title = `Transaction ${hash.slice(0, 14)}…`;
  const head = html`<div class="title"><h1>Transaction</h1><p>${fullHash(hash, 'transaction hash')}</p></div>`;
  if (!tx)
    return {
      title,
      index,
      body: html`${head}<section data-retry><p>A block contains this transaction now. Load the page again.</p></section>`,
    };
  const { call } = await decodeTransaction(deps, { to: tx.to, input: tx.input, logs: [] });
  return {
    title,
    index,
    body: html`${head}<section id="part" data-of="pending" data-live>${verdict(standing)}${facts([
      ['From', fullAddress(tx.from)],
      tx.to === null ? ['Creates', 'a contract'] : ['To', fullAddress(tx.to)],
      ['Value', html`${exactCoin(tx.value, coin)}${worth(tx.value)}`],
      ['Method', call && html`<span class="method">${readableText(call.name)}</span>`],
      [
        'Fee at most',
        exactCoin(String(BigInt(tx.gasLimit) * BigInt(tx.maxFeePerGas)), coin),
        tx.type === blobType ? 'plus the fee for its blobs' : undefined,
      ],
      ['Gas limit', grouped(tx.gasLimit)],
      ['Max fee per gas', gwei(tx.maxFeePerGas)],
      tx.maxPriorityFeePerGas !== null && ['Max priority fee per gas', gwei(tx.maxPriorityFeePerGas)],
      ['Nonce', grouped(tx.nonce)],
      ['Type', String(tx.type)],
    ])}${call && html`<h2>Call</h2>${decodedView(call)}`}<h2>Call data</h2>${callDataView(tx.input)}</section>`,
  };
}

function verdict({ state, replacedBy }: Standing): Html {
  const other = replacedBy && html` Transaction ${txLink(replacedBy)} of the same sender used its nonce.`;
  const isFinished = state === 'replaced' || state === 'dropped';
  const waiting = state === 'mined' ? 'mined' : replacedBy ? 'outrun' : 'pending';
  const [badge, text] = stateTexts[isFinished ? state : waiting];
  return html`<div class="verdict ${isFinished ? 'bad' : 'wait'}"><p class="line"><span class="badge">${badge}</span></p><p>${text}${other}</p></div>`;
}

const stateTexts = {
  pending: [
    'Pending',
    'No block contains this transaction yet. The node that receives transactions has it in its pool. Do not credit it.',
  ],
  mined: ['In a block', 'A node has this transaction in a block that is not indexed here yet. Do not credit it yet.'],
  outrun: [
    'Pending',
    'This transaction can be executed only if a reorg removes the block of another transaction with its nonce.',
  ],
  replaced: ['Replaced', 'This transaction can no longer be executed.'],
  dropped: [
    'Dropped',
    'The node that receives transactions has forgotten this transaction, and its nonce is free. The sender can send it again.',
  ],
} as const;
