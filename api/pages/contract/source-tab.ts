import { AbiCoder, type InterfaceAbi } from 'ethers';
import type { z } from 'zod';
import { grouped } from '../../drawing/grouped.ts';
import { Html, html } from '../../drawing/html.ts';
import { decodingCost, maxDecodingCost } from '../../read/contracts/decoding-cost.ts';
import { parseAbi } from '../../read/contracts/parse-abi.ts';
import { getContract } from '../../routes/contracts/contract.ts';
import { listSimilarContracts } from '../../routes/contracts/list-similar-contracts.ts';
import { listProxyUpgrades } from '../../routes/contracts/upgrades.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { callRoute, type RouteDeps, readParameters, returnProblem } from '../ask.ts';
import type { PageRequest } from '../page.ts';
import { hexView } from '../parts/decoded.ts';
import { type Fact, facts } from '../parts/facts.ts';
import { addressLink, fullAddress, txLink } from '../parts/links.ts';
import { counted } from '../parts/number.ts';
import { pager } from '../parts/pager.ts';
import { age, toSeconds, utc } from '../parts/time.ts';
import { sentence } from '../problem-page.ts';
import { namedValues } from './abi-values.ts';
import { codeView, findLines, normalizeLineEnds } from './highlight.ts';

export type Contract = z.infer<typeof getContract.response>;
type Source = NonNullable<Contract['source']>;

export type ContractTabDeps = RouteDeps<typeof getContract | typeof listProxyUpgrades | typeof listSimilarContracts>;

/** Maximum characters of a source file or ABI on a page, so that pages stay below 100 kB. */
const maxShown = 32_000;
const maxUpgrades = 25;
const maxMatches = 50;
const maxSimilar = 10;

/** Returns a paragraph for the page if there is no contract or no node returns its code. */
export async function findContract(deps: ContractTabDeps, address: string): Promise<Contract | Html> {
  const found = await callRoute(deps, getContract, { address }).catch(returnProblem);
  if (!(found instanceof ApiProblem)) return found;
  if (found.code === 'not_found') return html`<p class="empty">This address has no code.</p>`;
  return html`<p class="empty">The code is unknown: ${sentence(found.detail)}</p>`;
}

export async function sourceTab(deps: ContractTabDeps, request: PageRequest, address: string): Promise<Html> {
  const contract = await findContract(deps, address);
  if (contract instanceof Html) return contract;
  const { source } = contract;
  const [upgrades, similar] = await Promise.all([
    upgradesView(deps, contract, request),
    similarView(deps, request, address),
  ]);
  if (!source)
    return html`${proxyView(contract)}${upgrades}<p class="empty">The source code of this contract is not verified. <a href="/contract/verify?address=${address}">Verify it</a> if you have it.</p>${renderCode(contract)}${similar}`;
  return html`${summary(source)}${proxyView(contract)}${upgrades}${argumentsView(source)}${sourceView(source, request)}${abiView(source, address)}${renderCode(contract)}${similar}`;
}

function renderCode({ address, code, codeSize }: Contract): Html {
  return html`<h2>Code on the chain</h2><details><summary>${counted(codeSize, 'byte')}</summary><p>${hexView(code, `/api/v1/contracts/${address}`)}</p></details>`;
}

async function similarView(deps: ContractTabDeps, request: PageRequest, address: string): Promise<Html> {
  const heading = html`<h2>Contracts with the same code</h2>`;
  const parameters = { limit: String(maxSimilar), ...readParameters(request.query, 'cursor') };
  const list = await callRoute(deps, listSimilarContracts, { address }, parameters).catch(returnProblem);
  if (list instanceof ApiProblem) return html`${heading}<p class="empty">${sentence(list.detail)}</p>`;
  const { through, internal } = list.coverage;
  const note = html`<p class="muted">Created in blocks up to ${grouped(through)}${!internal && ', without those that other contracts created in blocks without traces'}. Contracts with other immutables are not listed.</p>`;
  const items = list.items.map(
    ({ address: other, name }) =>
      html`<li>${fullAddress(other)}${name !== null && html` <strong>${name}</strong>`}</li>`,
  );
  const found =
    items.length > 0
      ? html`<ul class="list">${items}</ul>`
      : html`<p class="empty">None was found${list.hasMore && ' in this part of the list'}.</p>`;
  return html`${heading}${note}${found}${pager(request, list, 'contracts with the same code')}`;
}

async function upgradesView(
  deps: ContractTabDeps,
  { address, proxy }: Contract,
  { now }: PageRequest,
): Promise<Html | false> {
  if (!proxy) return false;
  const emitters = proxy.beacon === null ? [address] : [address, proxy.beacon];
  const lists = await Promise.all(
    emitters.map((each) => callRoute(deps, listProxyUpgrades, { address: each }, { limit: String(maxUpgrades) })),
  );
  const upgrades = lists.flatMap(({ items }) => items).sort((a, b) => b.blockNumber - a.blockNumber);
  if (upgrades.length === 0)
    return noUpgrades(
      proxy.kind,
      lists.every(({ index }) => index.complete),
    );
  return html`<h3>Changes</h3><ul class="list">${upgrades.map(
    ({ kind, address: to, txHash, timestamp }) =>
      html`<li>${age(timestamp, now)}: ${kind} ${addressLink(to)} in ${txLink(txHash)}</li>`,
  )}${
    lists.some(({ items }) => items.length === maxUpgrades) &&
    html`<li class="muted">and possibly earlier ones: /api/v1/contracts/${address}/upgrades lists up to 200</li>`
  }</ul>`;
}

/** Only some kinds of proxies emit the events of this list. */
function noUpgrades(kind: string, isComplete: boolean): Html {
  if (!/^(EIP-1967|OpenZeppelin)/.test(kind))
    return html`<p class="muted">Changes of a proxy of this kind (${kind}) are not listed here.</p>`;
  if (!isComplete) return html`<p class="muted">Some blocks are not indexed: earlier changes may be missing.</p>`;
  return html`<p class="muted">No indexed event changed the implementation.</p>`;
}

function summary(source: Source): Html {
  const { similarTo, settings } = source;
  const { optimizer, evmVersion } = settings as {
    optimizer?: { enabled?: boolean; runs?: number };
    evmVersion?: string;
  };
  const libraries = Object.entries(source.libraries);
  const match =
    similarTo === null
      ? source.match === 'exact'
        ? html`<span class="badge good">exact match</span> <span class="muted">The source code is the one that was compiled, to the byte.</span>`
        : html`<span class="badge">partial match</span> <span class="muted">The code is the same. Names and comments in the source can differ from the original.</span>`
      : html`<span class="badge">similar match</span> <span class="muted">This contract has the same code as</span> ${fullAddress(similarTo)}`;
  const list: Fact[] = [
    ['Contract', html`<strong>${source.name}</strong>`],
    ['Verified', html`${match}`],
    ['Verified at', `${utc(toSeconds(source.verifiedAt))} UTC`],
    ['Compiler', html`${source.language} ${source.compilerVersion}`],
    ['Optimizer', optimizer?.enabled ? `on, ${grouped(optimizer.runs ?? 200)} runs` : 'off'],
    ['EVM version', evmVersion ?? 'default of the compiler'],
    source.license !== null && ['License', source.license],
    libraries.length > 0 && [
      'Libraries',
      html`${libraries.map(([name, address]) => html`<span class="line">${name} ${addressLink(address)}</span>`)}`,
    ],
  ];
  return facts(list);
}

/** Only these kinds must run the code at the stated address. Code of other proxies can do anything. */
const isProven = (kind: string) => kind === 'EIP-1167' || kind === 'EIP-7702';

export function proxyView({ proxy }: Contract): Html | false {
  if (!proxy) return false;
  const targets = proxy.implementations.map(
    ({ address, name }) => html`<li>${fullAddress(address)}${name !== null && html` <strong>${name}</strong>`}</li>`,
  );
  return html`<h2>Proxy</h2><p>This contract is a proxy (${proxy.kind}). ${isProven(proxy.kind) ? 'It runs the code of:' : 'It says that it runs the code of:'}</p><ul class="list">${targets}</ul>${
    proxy.beacon !== null && html`<p>The beacon ${fullAddress(proxy.beacon)} returns this address.</p>`
  }`;
}

function argumentsView({ abi, constructorArguments }: Source): Html | false {
  if (constructorArguments === null || constructorArguments === '0x') return false;
  const { inputs } = parseAbi(abi as InterfaceAbi).deploy;
  try {
    if (inputs.length === 0 || decodingCost(inputs, constructorArguments) > maxDecodingCost)
      throw new Error('the inputs are too large to decode');
    const values = AbiCoder.defaultAbiCoder().decode(inputs, constructorArguments);
    return html`<h2>Constructor arguments</h2>${namedValues(inputs, values.toArray())}`;
  } catch {
    return html`<h2>Constructor arguments</h2><p><code class="hex whole">${constructorArguments}</code></p>`;
  }
}

function sourceView({ sources, path }: Source, { query, url }: PageRequest): Html {
  const asked = query.get('file') ?? '';
  const shown = Object.hasOwn(sources, asked) ? asked : path;
  const text = normalizeLineEnds(sources[shown] ?? '');
  const base = url.split('?')[0];
  const find = (query.get('find') ?? '').trim().slice(0, 100);
  const names = Object.keys(sources);
  const list = names.map(
    (name) =>
      html`<a href="${base}?tab=contract&amp;file=${encodeURIComponent(name)}#code"${name === shown && html` aria-current="page"`}>${name}</a>`,
  );
  return html`<h2 id="code">Source code</h2>${names.length > 1 && html`<nav class="files" aria-label="Source files">${list}</nav>`}
<form class="filter" action="${base}#code"><input type="hidden" name="tab" value="contract"><input type="hidden" name="file" value="${shown}"><label>Find <input name="find" value="${find}" maxlength="100" autocomplete="off" spellcheck="false"></label> <button>Find</button></form>
<p class="muted">${shown}, ${counted(text.split('\n').length, 'line')}${matchesView(text, find)}</p>${codeView(text.slice(0, maxShown), find)}${
    text.length > maxShown && html`<p class="muted">The rest of this file is in the complete reply below.</p>`
  }`;
}

/** Returns the numbers of the matching lines. Lines on the page are links. */
function matchesView(text: string, find: string): Html | false {
  if (find === '') return false;
  const lines = findLines(text, find);
  const lastShown = text.slice(0, maxShown).split('\n').length;
  const numbers = lines
    .slice(0, maxMatches)
    .map((line) => (line > lastShown ? html` ${line}` : html` <a href="#L${line}">${line}</a>`));
  return html`; ${counted(lines.length, 'line')} with “${find}”${numbers}${lines.length > maxMatches && ' …'}`;
}

function abiView({ abi }: Source, address: string): Html {
  const text = JSON.stringify(abi, null, 1);
  return html`<h2>ABI</h2><details><summary>${abi.length === 1 ? '1 entry' : `${grouped(abi.length)} entries`}</summary><pre class="raw">${text.slice(0, maxShown)}</pre></details>
<p><a href="/api/v1/contracts/${address}">Source code, settings and ABI as JSON</a></p>`;
}
