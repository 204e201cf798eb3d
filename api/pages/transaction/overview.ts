import type { z } from 'zod';
import { grouped } from '../../drawing/grouped.ts';
import { type Html, html } from '../../drawing/html.ts';
import type { Decoded } from '../../read/contracts/decode/decode.ts';
import type { FailureReason } from '../../read/contracts/failure-reason.ts';
import type { getTransaction } from '../../routes/transactions/get-transaction.ts';
import type { PageRequest } from '../page.ts';
import { confirmationBar, finalityBadge, statusBadge } from '../parts/badges.ts';
import { readableText } from '../parts/chain-text.ts';
import { decodedView } from '../parts/decoded.ts';
import { type Fact, facts } from '../parts/facts.ts';
import { blockLink, fullAddress, partyLink } from '../parts/links.ts';
import { exactCoin, gwei, percent } from '../parts/number.ts';
import { when } from '../parts/time.ts';
import { methodView } from '../parts/transactions.ts';
import { movedView, type Names } from '../parts/transfers.ts';
import { typedFieldsView } from './typed-fields.ts';
import { type Worth, worthView } from './worth.ts';

export type Detail = z.infer<typeof getTransaction.response>;

const maxTransfers = 100;

/** Data of the overview beyond the transaction itself. */
export interface CallFacts {
  readonly names: Names;
  readonly decoded: Decoded | undefined;
  /** Undefined if a reorg has just removed the block. */
  readonly block: ChargedBlock | undefined;
  readonly failure: FailureReason | undefined;
  readonly worth: Worth | undefined;
}

/** Block data that determine who receives the fee. */
export interface ChargedBlock {
  readonly producer: string;
  /** Wei per gas; undefined if the block has no base fee. */
  readonly baseFee: string | undefined;
}

export function overview(request: PageRequest, tx: Detail, { names, decoded, failure, block, worth }: CallFacts): Html {
  const { coin, now } = request;
  return html`${verdict(tx, names, coin)}${facts([
    failure !== undefined && [
      'Why it failed',
      html`<strong class="bad-text">${readableText(failure.reason, 'text')}</strong>`,
      failureSources[failure.source],
    ],
    tx.status === 0 &&
      failure === undefined && [
        'Why it failed',
        html`<span class="muted">unknown</span>`,
        'no trace is available, and a repeated call did not fail in the same way',
      ],
    ['Block', html`${blockLink(tx.blockNumber)} <span class="muted">position ${tx.txIndex}</span>`],
    ['Time', when(tx.timestamp, now)],
    ['From', fullAddress(tx.from)],
    tx.to === null ? ['Created', created(tx)] : ['To', fullAddress(tx.to)],
    [
      'Value',
      html`${exactCoin(tx.value, coin)}${tx.value !== '0' && worthView(worth, tx.value)}`,
      tx.status === 0 && tx.value !== '0' ? 'not transferred, because the transaction failed' : undefined,
    ],
    [
      'Fee',
      html`${exactCoin(tx.fee, coin)}${worthView(worth, tx.fee)}`,
      tx.status === 0 ? 'paid, although the transaction failed' : undefined,
    ],
    [
      'Method',
      decoded ? html`<span class="method" title="${tx.methodId}">${readableText(decoded.name)}</span>` : methodView(tx),
    ],
  ])}${moved(tx, names, coin)}${more(tx, coin, block?.baseFee)}${typedFieldsView(tx)}${decoded && html`<h2>Call</h2>${decodedView(decoded)}`}`;
}

function verdict(tx: Detail, names: Names, coin: string): Html {
  const { status, confirmations, requiredConfirmations: required, confirmed } = tx;
  const state = status === 0 || tx.finality === 'doubted' ? 'bad' : confirmed && status === 1 ? 'good' : 'wait';
  return html`<div class="verdict ${state}"><p class="line">${statusBadge(status)} ${finalityBadge(tx.finality)} <strong class="sum${status === 0 && ' void'}">${sum(tx, names, coin)}</strong></p>
<p>${depthText(tx)} ${depositText(tx, coin)}</p><p class="line">${confirmationBar(confirmations, required)} <span>${grouped(confirmations)} confirmation${confirmations !== 1 && 's'}</span></p></div>`;
}

function depthText({ status, finality, confirmed, confirmations, requiredConfirmations: required }: Detail): string {
  if (finality === 'doubted')
    return 'A node contradicts the block of this transaction or an earlier block. Do not rely on the transaction until the contradiction is resolved.';
  if (confirmed && finality !== 'final')
    return `The transaction has ${grouped(confirmations)} confirmations (${required} required). Its block is not final yet: only an unusually deep reorg could still remove it.`;
  if (confirmed) return `The transaction has ${grouped(confirmations)} confirmations (${required} required).`;
  const advice = status === 0 ? 'Do not sign a replacement yet.' : 'Do not rely on the transaction yet.';
  return `The transaction has ${confirmations} of ${required} required confirmations. A reorg can still remove it. ${advice}`;
}

function depositText({ status, value, from, to, creditable }: Detail, coin: string): string {
  if (status === 0) return 'The transaction failed: only its fee was paid.';
  if (status === null) return 'The node reports no status for the transaction, so it cannot be credited as a deposit.';
  if (to === null)
    return value === '0'
      ? 'The transaction creates a contract, so there is no deposit to credit.'
      : `The ${coin} that the transaction sends belongs to the contract that it creates.`;
  if (value === '0')
    return `The transaction itself sends no ${coin}. Contracts that it calls can send some: see its internal transfers.`;
  if (from === to) return 'Sender and recipient are the same account, so there is no deposit to credit.';
  return creditable ? `The transferred ${coin} has enough confirmations to be credited to the recipient.` : '';
}

/** If the transaction transferred no coin, shows its first token transfer. */
function sum({ value, tokenTransfers: [first, ...others] }: Detail, names: Names, coin: string): Html {
  if (value !== '0' || !first) return exactCoin(value, coin);
  return html`${movedView(first, names, coin)}${others.length > 0 && html` <small>and ${others.length} more</small>`}`;
}

function created({ contractCreated }: Detail): Html {
  return contractCreated === null ? html`<span class="muted">no contract</span>` : fullAddress(contractCreated);
}

function moved({ tokenTransfers, logCount, logs }: Detail, names: Names, coin: string): Html | false {
  if (tokenTransfers.length === 0) return false;
  const shown = tokenTransfers.slice(0, maxTransfers);
  const rest = tokenTransfers.length - shown.length;
  return html`<h2>Token transfers</h2><ol class="moves">${shown.map(
    (one) =>
      html`<li><span>${movedView(one, names, coin)}</span> <span class="way">${partyLink(one.from)} <span class="muted">to</span> ${partyLink(one.to)}</span></li>`,
  )}</ol>${rest > 0 && html`<p class="muted">and ${grouped(rest)} more: see the logs</p>`}${
    logCount > logs.length &&
    html`<p class="muted">This list is based on the first ${grouped(logs.length)} of ${grouped(logCount)} logs.</p>`
  }`;
}

function more(tx: Detail, coin: string, baseFee: string | undefined): Html {
  const list: Fact[] = [
    [
      'Gas used',
      html`${grouped(tx.gasUsed)} <span class="muted">of ${grouped(tx.gasLimit)}, ${percent(tx.gasUsed / tx.gasLimit)}</span>`,
    ],
    ['Gas price', gwei(tx.gasPrice)],
    ...feeParts(tx, coin, baseFee),
    blobFee(tx, coin),
    tx.maxFeePerGas !== null && ['Max fee per gas', gwei(tx.maxFeePerGas)],
    tx.maxPriorityFeePerGas !== null && ['Max priority fee per gas', gwei(tx.maxPriorityFeePerGas)],
    ['Nonce', tx.nonce, tx.nonce === 0 ? 'first transaction of the sender' : undefined],
    ['Type', `${tx.type}${typeNames[tx.type] ?? ''}`],
    tx.blobCount > 0 && ['Blobs', tx.blobCount],
    tx.blobCount > 0 && tx.receipt.blobGasUsed !== null && ['Blob gas used', grouped(tx.receipt.blobGasUsed)],
    tx.blobCount > 0 && tx.receipt.blobGasPrice !== null && ['Blob gas price', gwei(tx.receipt.blobGasPrice)],
    tx.authorizationCount > 0 && ['Authorizations', tx.authorizationCount, 'EIP-7702'],
    ['Block hash', html`<span class="hex whole">${tx.blockHash}</span>`],
  ];
  return html`<h2>Gas and details</h2>${facts(list)}`;
}

/** Splits the gas price: the base fee is burned, the rest goes to the block producer. @source EIP-1559 */
function feeParts({ gasPrice, gasUsed }: Detail, coin: string, baseFee: string | undefined): Fact[] {
  if (baseFee === undefined || BigInt(baseFee) > BigInt(gasPrice)) return [];
  const tip = BigInt(gasPrice) - BigInt(baseFee);
  const paid = (perGas: bigint) => exactCoin(String(perGas * BigInt(gasUsed)), coin);
  return [
    ['Base fee', html`${gwei(baseFee)} <span class="muted">burned:</span> ${paid(BigInt(baseFee))}`],
    ['Tip', html`${gwei(String(tip))} <span class="muted">to the producer:</span> ${paid(tip)}`],
  ];
}

/** The fee for blobs is burned. @source EIP-4844 */
function blobFee({ receipt: { blobGasUsed, blobGasPrice } }: Detail, coin: string): Fact {
  if (blobGasUsed === null || blobGasPrice === null || BigInt(blobGasUsed) === 0n) return false;
  const fee = BigInt(blobGasUsed) * BigInt(blobGasPrice);
  return ['Blob fee', html`<span class="muted">burned:</span> ${exactCoin(String(fee), coin)}`];
}

const typeNames: Readonly<Record<number, string>> = {
  0: ' (legacy)',
  1: ' (access list)',
  2: ' (EIP-1559)',
  3: ' (blobs)',
  4: ' (set code)',
};

const failureSources = {
  trace: 'a node traced this transaction',
  gas: 'it used all of its gas',
  replay: 'the call was repeated at the state before its block',
} as const;
