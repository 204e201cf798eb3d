/**
 * Functions of a contract and its implementations, each with a form. Reading works without a script. For writing, the
 * server simulates the transaction, and a script sends it with a browser wallet.
 */
import { type FunctionFragment, type Interface, type ParamType, parseUnits, Result } from 'ethers';
import { toQuantity } from '#chain/codec/hex.ts';
import { Html, html } from '../../drawing/html.ts';
import { type CallOutcome, callContract } from '../../read/contracts/call-contract.ts';
import { decodingCost, maxDecodingCost } from '../../read/contracts/decoding-cost.ts';
import { explainRevert } from '../../read/contracts/failure-reason.ts';
import { mergeAbis, readVerifiedAbis } from '../../read/contracts/interfaces-of.ts';
import type { SignatureDeps } from '../../read/contracts/signatures/signatures.ts';
import type { VerifiedContracts } from '../../read/contracts/verified-contracts.ts';
import type { NodeDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { parseAddress } from '../../terms/parse-address.ts';
import type { PageRequest } from '../page.ts';
import { readableText } from '../parts/chain-text.ts';
import { hexView } from '../parts/decoded.ts';
import { namedValues, parseArgument } from './abi-values.ts';
import { type Contract, type ContractTabDeps, findContract, proxyView } from './source-tab.ts';

export type ReadTabDeps = ContractTabDeps & NodeDeps & SignatureDeps & { readonly verified: VerifiedContracts };

const maxFunctions = 150;

type Mode = 'read' | 'write';
type Tab = (deps: ReadTabDeps, request: PageRequest, address: string) => Promise<Html>;

/**
 * Maximum length of the arguments in a call's URL, characters. URL and headers may have 16 KiB, and the Referer header
 * can repeat the URL.
 */
const maxArguments = 9_000;
/** Maximum length of an address or number, characters. */
const maxShort = 100;

const argumentsNote =
  'Lists and structs are JSON. The length of an argument is limited, because the address of the page contains it.';
const notes: Readonly<Record<Mode, string>> = {
  read: `Each call runs on a node and changes nothing. ${argumentsNote}`,
  write: `Simulate a transaction first: a node runs the call and changes nothing. If it succeeds, you can send it with a wallet of your browser. ${argumentsNote}`,
};

function noFunctions({ address, source, proxy }: Contract, mode: Mode): Html {
  if (source) return html`<p class="empty">The verified source code declares no function to ${mode}.</p>`;
  // the code of a delegated account only names the contract
  const target = proxy?.kind === 'EIP-7702' ? (proxy.implementations[0]?.address ?? address) : address;
  return html`<p class="empty">No verified source code declares a function to ${mode}. <a href="/contract/verify?address=${target}">Verify the contract</a>.</p>`;
}

const createTab =
  (mode: Mode): Tab =>
  async (deps, request, address) => {
    const contract = await findContract(deps, address);
    if (contract instanceof Html) return contract;
    const abi = await readInterface(deps, contract);
    const all = listFunctions(abi, mode);
    const functions = all.slice(0, maxFunctions);
    if (functions.length === 0) return html`${proxyView(contract)}${noFunctions(contract, mode)}`;
    const called = request.query.get('call');
    const forms = await Promise.all(
      functions.map(async (each) => {
        const call = { mode, address, abi, each };
        const result = each.selector === called ? await runCall(deps, request, call) : undefined;
        return functionForm(request, mode, each, result);
      }),
    );
    return html`${proxyView(contract)}<p class="muted">${notes[mode]}</p><ol class="functions">${forms}</ol>${
      all.length > maxFunctions &&
      html`<p class="muted">Without a form, because there are more than ${maxFunctions}: ${all
        .slice(maxFunctions)
        .map((each) => each.name)
        .join(', ')}.</p>`
    }`;
  };

export const readTab = createTab('read');
export const writeTab = createTab('write');

/** Merges the contract's ABI with those of its implementations. */
async function readInterface(deps: ReadTabDeps, { source, proxy }: Contract): Promise<Interface> {
  const targets = (proxy?.implementations ?? []).map((each) => each.address);
  return mergeAbis([source?.abi ?? [], ...(await readVerifiedAbis(deps, targets))]);
}

function listFunctions(abi: Interface, mode: Mode): FunctionFragment[] {
  const found: FunctionFragment[] = [];
  abi.forEachFunction((each) => {
    const isView = each.stateMutability === 'view' || each.stateMutability === 'pure';
    if (isView === (mode === 'read')) found.push(each);
  });
  return found;
}

/** Form fields after the arguments of a function. */
const extraFields: Readonly<Record<Mode, (each: FunctionFragment, coin: string) => [string, Html][]>> = {
  read: () => [['block', html`Block <small>number, empty: newest</small>`]],
  write: (each, coin) => [
    ...(each.payable ? [['value', html`Value <small>${coin}</small>`] satisfies [string, Html]] : []),
    ['from', html`Sender <small>address, for the simulation</small>`],
  ],
};

const isShort = ({ type }: ParamType) => /^(address|bool|u?int\d*|bytes\d+)$/.test(type);

/** URL encoding turns one character of a text into up to 9, of JSON into up to 3. */
function limitLength({ inputs }: FunctionFragment, input: ParamType): number {
  if (isShort(input)) return maxShort;
  const share = maxArguments / inputs.filter((each) => !isShort(each)).length;
  return Math.floor(share / (input.format().includes('string') ? 9 : input.type === 'bytes' ? 1 : 3));
}

/** @throws ApiProblem bad_query */
function readArgument(query: URLSearchParams, each: FunctionFragment, input: ParamType, i: number): unknown {
  const [text, limit] = [query.get(`arg${i}`) ?? '', limitLength(each, input)];
  if (text.length > limit)
    throw new ApiProblem('bad_query', `${input.name || `argument ${i + 1}`} must have at most ${limit} characters`);
  return parseArgument(input, text);
}

function functionForm(
  { query, url, coin }: PageRequest,
  mode: Mode,
  each: FunctionFragment,
  result: Html | undefined,
): Html {
  const arguments_ = each.inputs.map((input, i): [string, Html, number] => [
    `arg${i}`,
    html`${input.name || `argument ${i + 1}`} <small>${input.format()}</small>`,
    limitLength(each, input),
  ]);
  const fields = [...arguments_, ...extraFields[mode](each, coin)].map(([name, label, limit = maxShort]) => {
    const value = result === undefined ? '' : (query.get(name) ?? '');
    // one more than the limit, so that the server rejects longer text: browsers cut pasted text at maxlength without a
    // message
    return html`<label>${label} <input name="${name}" value="${value}" maxlength="${limit + 1}" autocomplete="off" spellcheck="false"></label> `;
  });
  return html`<li id="${each.selector}"><form class="filter" action="${url.split('?')[0]}#${each.selector}"><p><strong>${each.name}</strong> <code class="muted">${each.selector}</code></p>
<input type="hidden" name="tab" value="${mode}"><input type="hidden" name="call" value="${each.selector}">${fields}<button>${mode === 'read' ? 'Query' : 'Simulate'}</button></form>${result}</li>`;
}

interface FunctionCall {
  readonly mode: Mode;
  readonly address: string;
  readonly abi: Interface;
  readonly each: FunctionFragment;
}

async function runCall(deps: ReadTabDeps, { query }: PageRequest, call: FunctionCall): Promise<Html> {
  const { mode, address: to, abi, each } = call;
  try {
    const args = each.inputs.map((input, i) => readArgument(query, each, input, i));
    const data = encode(abi, each, args);
    const given = (name: string) => query.get(name)?.trim() ?? '';
    if (mode === 'read') {
      if (!/^\d{0,15}$/.test(given('block'))) throw new ApiProblem('bad_query', 'Block must be a block number');
      return outcomeView(deps, await callContract(deps.client, { to, data, block: given('block') }), call);
    }
    const value = parseCoin(given('value'));
    const sender = given('from') === '' ? {} : { from: parseAddress(given('from'), 'Sender') };
    const outcome = await callContract(deps.client, { to, data, block: '', ...sender, value: toQuantity(value) });
    return html`${await outcomeView(deps, outcome, call)}${'data' in outcome && sendView({ to, data, value, ...sender })}`;
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    return html`<p class="bad-text" role="alert">${error.detail}</p>`;
  }
}

/** Parses an amount of the native coin. @returns wei @throws ApiProblem bad_query */
function parseCoin(text: string): bigint {
  if (!/^\d{0,30}(\.\d{1,18})?$/.test(text))
    throw new ApiProblem('bad_query', 'Value must be an amount with at most 18 decimals');
  return parseUnits(text || '0', 18);
}

/** Shows the call data after a successful simulation. The script adds the send button. */
function sendView(call: { to: string; data: string; value: bigint; from?: string }): Html {
  return html`<p><span class="badge good">succeeds</span> The simulated transaction succeeds now.</p><details><summary>Call data</summary><p>${hexView(call.data)}</p></details>
<p class="send" data-to="${call.to}" data-call="${call.data}" data-value="${toQuantity(call.value)}" data-from="${call.from ?? ''}">To send it, enable scripts and install a wallet.</p>`;
}

function encode(abi: Interface, each: FunctionFragment, args: readonly unknown[]): string {
  try {
    return abi.encodeFunctionData(each, args);
  } catch (error) {
    throw new ApiProblem(
      'bad_query',
      `an argument does not fit its type: ${(error as { shortMessage?: string }).shortMessage ?? ''}`,
    );
  }
}

/** Maximum decoded result, hex digits. */
const maxResult = 262_144;

async function outcomeView(
  { signatures }: SignatureDeps,
  outcome: CallOutcome,
  { mode, abi, each }: FunctionCall,
): Promise<Html> {
  if ('revertData' in outcome)
    return html`<p class="bad-text" role="alert">The call failed: ${readableText(await explainRevert(signatures, outcome.revertData, abi), 'text')}</p>`;
  if (outcome.data === '0x' && each.outputs.length > 0)
    return html`<p class="bad-text" role="alert">The call returned nothing: at this block the contract may not have existed, or it has no such function.</p>`;
  // a simulation shows its own message
  if (each.outputs.length === 0)
    return mode === 'read' ? html`<p>The call succeeded; the function returns no value.</p>` : html``;
  if (outcome.data.length > maxResult || decodingCost(each.outputs, outcome.data) > maxDecodingCost)
    return html`<p>The result is too large to decode:</p><p>${hexView(outcome.data)}</p>`;
  try {
    const values = abi.decodeFunctionResult(each, outcome.data);
    return values instanceof Result ? namedValues(each.outputs, values.toArray()) : html``;
  } catch {
    return html`<p class="bad-text" role="alert">The contract returned data of another type:</p><p>${hexView(outcome.data)}</p>`;
  }
}
