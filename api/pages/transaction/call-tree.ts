import { isAddress, isQuantity, toQuantity } from '#chain/codec/hex.ts';
import { getCallError, valueless } from '#chain/codec/internal-calls.ts';
import type { WireCall } from '#chain/rpc/wire-types.ts';
import { grouped } from '../../drawing/grouped.ts';
import { type Html, html } from '../../drawing/html.ts';
import type { MethodNames } from '../../read/contracts/signatures/signatures.ts';
import { chainText, readableText } from '../parts/chain-text.ts';
import { partyLink } from '../parts/links.ts';
import { coinAmount } from '../parts/number.ts';

/** Maximum calls on the page. A transaction can make thousands. */
const maxCalls = 300;

export function listSelectors(root: WireCall): Set<string> {
  const selectors = new Set<string>();
  for (const { call } of flatten(root))
    if (typeof call.input === 'string' && /^0x[0-9a-f]{8}$/i.test(call.input)) selectors.add(call.input);
  return selectors;
}

interface Placed {
  readonly call: WireCall;
  readonly depth: number;
  /** Error of this call or of an enclosing call. */
  readonly error: string;
}

function flatten(root: WireCall): Placed[] {
  const found: Placed[] = [];
  const add = (call: WireCall, depth: number, errorAround: string) => {
    if (found.length >= maxCalls || call === null || typeof call !== 'object') return;
    const error = getCallError(call) || errorAround;
    found.push({ call, depth, error });
    for (const inner of Array.isArray(call.calls) ? call.calls : []) add(inner, depth + 1, error);
  };
  add(root, 0, '');
  return found;
}

/**
 * Distrusts the fields, because they come from a node.
 * @param gasUsed gas of the transaction, from its receipt
 */
export function callTreeView(root: WireCall, gasUsed: number, names: MethodNames, coin: string): Html {
  // for the first call, some nodes report the gas of all transactions of the block
  const calls = flatten({ ...root, gasUsed: toQuantity(gasUsed) });
  return html`<h2>Calls</h2><p class="muted">All calls of this transaction, traced by a node just now.</p><ol class="tree">${calls.map((placed) => callView(placed, names, coin))}</ol>${
    calls.length >= maxCalls && html`<p class="muted">The page shows the first ${maxCalls} calls.</p>`
  }`;
}

const maxDepth = 12;

function callView({ call, depth, error: failure }: Placed, names: MethodNames, coin: string): Html {
  const error = getCallError(call);
  const method = typeof call.input === 'string' && call.input.length === 10 ? call.input : undefined;
  const name = method && names(method);
  const isCreation = /^CREATE2?$/.test(call.type);
  return html`<li class="depth-${Math.min(depth, maxDepth)}"><p class="line"><span class="badge">${chainText(String(call.type).toLowerCase().slice(0, 20), coin)}</span> ${party(call.from)} <span class="muted">${isCreation ? 'creates' : 'to'}</span> ${party(call.to)}${
    method &&
    !isCreation &&
    html` <span class="method" title="${method}">${name ? readableText(name.name) : method}</span>`
  }${amountView(call, failure, coin)}${
    isQuantity(call.gasUsed) && html` <span class="muted">${grouped(BigInt(call.gasUsed))} gas</span>`
  }${error !== '' && html` <span class="bad-text">${readableText(error, 'text')}</span>`}</p></li>`;
}

const party = (address: unknown) =>
  isAddress(address) ? partyLink(address.toLowerCase()) : html`<span class="muted">–</span>`;

/** Coins were not transferred if this call or an enclosing call failed. */
function amountView(call: WireCall, failure: string, coin: string): Html | false {
  const wei = getWei(call);
  if (wei === 0n || valueless.has(call.type)) return false;
  const amount = coinAmount(String(wei), coin);
  return failure === ''
    ? html` ${amount}`
    : html` <span class="void">${amount}</span> <span class="muted">reverted</span>`;
}

const getWei = ({ value }: WireCall) => (isQuantity(value) ? BigInt(value) : 0n);
