/** Form for source code verification. Works without a script. */

import { type Html, html } from '../../drawing/html.ts';
import type { ContractVerifier } from '../../read/contracts/contract-verifier.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { definePage } from '../page.ts';

const evmVersions = ['', 'osaka', 'prague', 'cancun', 'shanghai', 'paris', 'london', 'berlin', 'istanbul'];

/** Maximum characters of source code to show again after an error. */
const maxShown = 256 << 10;

const formats = [
  ['standard-json', 'standard JSON input'],
  ['single-file', 'single Solidity file'],
] as const;

interface VerifyDeps {
  readonly verifier: ContractVerifier;
}

export const verifyPage = definePage({
  id: 'verify',
  path: '/contract/verify',
  maxAgeSeconds: 0,
  isUnpinned: true,
  postedForm,
  handle: async (deps: VerifyDeps, { query }) => {
    const body = html`<h1>Verify source code</h1>
<p>Send the source code of a contract. It is compiled here and compared with the code on the chain. If they match, everyone can read the source code, and the explorer decodes its calls and events.</p>
${await postedForm(deps, query)}
<p class="muted">Foundry, Hardhat and Remix verify with the URL /api (Etherscan) or /sourcify (Sourcify) of this service.</p>`;
    return { title: 'Verify source code', body };
  },
});

async function postedForm({ verifier }: VerifyDeps, values: URLSearchParams): Promise<Html> {
  const versions = await verifier.compilers.versions();
  const given = (name: string, fallback = '') => values.get(name) ?? fallback;
  const source = given('source');
  const isShown = source.length <= maxShown;
  const options = (name: string, list: readonly (readonly [value: string, title: string])[]) =>
    list.map(
      ([value, title]) => html`<option value="${value}"${value === given(name) && html` selected`}>${title}</option>`,
    );
  return html`<form class="long" method="post" action="/contract/verify">
${field('address', 'Address of the contract', given('address'))}
<label>Compiler <select name="compilerVersion">${options(
    'compilerVersion',
    versions.map((version) => [version, version]),
  )}</select></label>
<label>Format of the source <select name="format">${options('format', formats)}</select></label>
${field('contract', 'Contract', given('contract'), 'path:Name, for example src/Token.sol:Token; for a single file only its name')}
<label>Source code <textarea name="source" rows="14" required spellcheck="false">
${isShown && source}</textarea>${!isShown && html` <small class="muted">The source code is too long to be shown again.</small>`}</label>
<fieldset><legend>Settings of a single file</legend>
<label><input type="checkbox" name="optimized" value="1"${given('optimized') === '1' && html` checked`}> Optimizer</label>
${field('runs', 'Runs', given('runs', '200'))}
<label>EVM version <select name="evmVersion">${options(
    'evmVersion',
    evmVersions.map((version) => [version, version || 'default of the compiler']),
  )}</select></label>
</fieldset><button>Verify</button></form>`;
}

function field(name: string, label: string, value: string, hint?: string): Html {
  return html`<label>${label} <input name="${name}" value="${value}" autocomplete="off" spellcheck="false" required>${hint && html` <small class="muted">${hint}</small>`}</label>`;
}

export const verificationPage = definePage({
  id: 'verification',
  path: '/contract/verification/:job',
  maxAgeSeconds: 0,
  isUnpinned: true,
  absent: { title: 'Unknown verification', hint: 'Verifications are stored for 30 days.' },
  handle: async ({ verifier }: { readonly verifier: ContractVerifier }, { params }) => {
    const job = await verifier.job(params.job);
    if (!job) throw new ApiProblem('not_found', 'no verification has this id');
    const link = html`<p><a href="/address/${job.address}?tab=contract">Contract ${job.address}</a></p>`;
    const state = {
      pending: html`<p data-retry>The source code is being compiled. This page reloads by itself; without scripts, reload it.</p>`,
      verified: html`<p><span class="badge good">verified</span> ${job.message}</p>`,
      failed: html`<p><span class="badge bad">not verified</span></p><pre class="raw">${job.message}</pre><p><a href="/contract/verify?address=${job.address}">Try again</a></p>`,
    }[job.state];
    return { title: 'Verification', body: html`<h1>Verification</h1><div id="state">${state}</div>${link}` };
  },
});
