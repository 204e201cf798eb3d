/** Calls view functions of a contract, through its proxy, with a form per function. Works without a script. */
import { type FunctionFragment, type Interface, Result } from 'ethers';
import { type CallOutcome, callContract } from '../../read/contracts/call-contract.ts';
import { describeRevert } from '../../read/contracts/failure-reason.ts';
import { mergeAbis } from '../../read/contracts/interfaces-of.ts';
import type { VerifiedContracts } from '../../read/contracts/verified-contracts.ts';
import type { NodeDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { type Html, html } from '../html.ts';
import type { PageRequest } from '../page.ts';
import { hexView } from '../parts/decoded.ts';
import { namedValues, parseArgument } from './abi-values.ts';
import { type Contract, type ContractTabDeps, findContract, proxyView } from './source-tab.ts';

export type ReadTabDeps = ContractTabDeps & NodeDeps & { readonly verified: VerifiedContracts };

const maxFunctions = 150;

export async function readTab(deps: ReadTabDeps, request: PageRequest, address: string): Promise<Html> {
  const contract = await findContract(deps, address);
  if (!contract) return html`<p class="empty">This address has no code.</p>`;
  const abi = await readInterface(deps, contract);
  const functions = listViewFunctions(abi);
  if (functions.length === 0)
    return html`${proxyView(contract)}<p class="empty">No verified source code declares a function that can be read. <a href="/contract/verify?address=${address}">Verify the contract</a>.</p>`;
  const called = request.query.get('call');
  const forms = await Promise.all(
    functions.map(async (each) => {
      const result = each.selector === called ? await runCall(deps, request, address, abi, each) : undefined;
      return functionForm(each, request, result);
    }),
  );
  return html`${proxyView(contract)}<p class="muted">Each call runs on a node and changes nothing. Lists and structs are JSON.</p><ol class="functions">${forms}</ol>`;
}

/** Returns the ABI of the contract, with those of the contracts whose code it runs. */
async function readInterface(deps: ReadTabDeps, { source, proxy }: Contract): Promise<Interface> {
  const targets = await deps.verified.interfaces((proxy?.implementations ?? []).map((each) => each.address));
  const own = source?.abi ?? [];
  return mergeAbis([own, ...[...targets.values()].map(({ abi }) => abi)]);
}

function listViewFunctions(abi: Interface): FunctionFragment[] {
  const found: FunctionFragment[] = [];
  abi.forEachFunction((each) => {
    if (each.stateMutability === 'view' || each.stateMutability === 'pure') found.push(each);
  });
  return found.slice(0, maxFunctions);
}

function functionForm(each: FunctionFragment, { query, url }: PageRequest, result: Html | undefined): Html {
  const isCalled = result !== undefined;
  const field = (name: string, label: Html, value: string) =>
    html`<label>${label} <input name="${name}" value="${value}" autocomplete="off" spellcheck="false"></label> `;
  const inputs = each.inputs.map((input, i) =>
    field(
      `arg${i}`,
      html`${input.name || `argument ${i + 1}`} <small>${input.format()}</small>`,
      isCalled ? (query.get(`arg${i}`) ?? '') : '',
    ),
  );
  return html`<li id="${each.selector}"><form class="filter" action="${url.split('?')[0]}#${each.selector}"><p><strong>${each.name}</strong> <code class="muted">${each.selector}</code></p>
<input type="hidden" name="tab" value="read"><input type="hidden" name="call" value="${each.selector}">${inputs}${field('block', html`Block <small>number, empty: newest</small>`, isCalled ? (query.get('block') ?? '') : '')}<button>Query</button></form>${result}</li>`;
}

async function runCall(
  deps: ReadTabDeps,
  { query, coin }: PageRequest,
  address: string,
  abi: Interface,
  each: FunctionFragment,
): Promise<Html> {
  try {
    const args = each.inputs.map((input, i) => parseArgument(input, query.get(`arg${i}`) ?? ''));
    const block = query.get('block')?.trim() ?? '';
    if (!/^\d{0,15}$/.test(block)) throw new ApiProblem('bad_query', 'Block must be a block number');
    const data = encode(abi, each, args);
    return outcomeView(await callContract(deps.client, { to: address, data, block }), abi, each, coin);
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    return html`<p class="bad-text" role="alert">${error.detail}</p>`;
  }
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

function outcomeView(outcome: CallOutcome, abi: Interface, each: FunctionFragment, coin: string): Html {
  if ('revertData' in outcome)
    return html`<p class="bad-text" role="alert">The call failed: ${describeRevert(outcome.revertData, abi)}</p>`;
  try {
    const values = abi.decodeFunctionResult(each, outcome.data);
    return values instanceof Result ? namedValues(each.outputs, values.toArray(), coin) : html``;
  } catch {
    return html`<p class="bad-text" role="alert">The contract returned data of another type:</p><p>${hexView(outcome.data)}</p>`;
  }
}
