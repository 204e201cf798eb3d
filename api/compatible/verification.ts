/** Actions by which Foundry, Hardhat and Remix verify source code. @source docs/compatible.md */
import { isAddress } from '#chain/codec/hex.ts';
import type { CompilerInput } from '#verification/types.ts';
import { readCode } from '../read/contracts/code.ts';
import { bestMatch, type ContractVerifier, type VerificationJob } from '../read/contracts/contract-verifier.ts';
import { parseCompilerInput, parseTarget, singleFileInput } from '../read/contracts/parse-input.ts';
import { detectProxy } from '../read/contracts/proxies.ts';
import { readSource, type SourceReadDeps } from '../read/contracts/read-source.ts';
import type { InputKind } from '../read/contracts/verified-contracts.ts';
import { type CompatibleAction, CompatibleError } from './action.ts';
import { parseAddress, parseOptionalAddress } from './parameters.ts';

export interface VerifierDeps extends SourceReadDeps {
  readonly verifier: ContractVerifier;
}

/** Rate limit cost of a verification, in addition to 1 for the request. */
const verificationCost = 9;

type Given = ReadonlyMap<string, string>;

/** Clients compare these texts. @source hardhat-verify, internal/etherscan.ts; Foundry, crates/verify */
const texts = {
  pending: 'Pending in queue',
  verified: 'Pass - Verified',
  failed: 'Fail - Unable to verify',
  already: 'Contract source code already verified',
} as const;

/** @source https://etherscan.io/contract-license-types */
const licenses = [
  ...['', 'None', 'Unlicense', 'MIT', 'GPL-2.0', 'GPL-3.0', 'LGPL-2.1', 'LGPL-3.0', 'BSD-2-Clause', 'BSD-3-Clause'],
  ...['MPL-2.0', 'OSL-3.0', 'Apache-2.0', 'AGPL-3.0', 'BUSL-1.1'],
];

/** @returns the id of the job */
export const verifySourceCode: CompatibleAction<VerifierDeps> = async ({ deps, parameters, caller, ip, charge }) => {
  const address = parseAddress(parameters, parameters.has('contractaddress') ? 'contractaddress' : 'address');
  const { input, target, kind } = parseSource(parameters);
  const source = await readSource(deps, address);
  if (!source && (await readCode(deps.client, address)) === '0x')
    throw new CompatibleError(`Unable to locate ContractCode at ${address}`);
  if (source && source.similarTo === undefined && bestMatch(source.contract) === 'perfect')
    throw new CompatibleError(texts.already);
  const license = licenses[Number(parameters.get('licensetype') ?? 0)] ?? '';
  const compilerVersion = parameters.get('compilerversion')?.trim() ?? '';
  if (compilerVersion === '')
    throw new CompatibleError('Error! Missing compilerversion, for example v0.8.28+commit.7893614a');
  await charge(verificationCost, Buffer.byteLength(parameters.get('sourcecode') ?? ''));
  return deps.verifier.submit({ address, compilerVersion, input, target, kind, license }, { caller, ip });
};

function parseSource(parameters: Given): {
  input: CompilerInput;
  target: { path: string; name: string };
  kind: InputKind;
} {
  const format = (parameters.get('codeformat') ?? 'solidity-single-file').trim().toLowerCase();
  const sourceCode = parameters.get('sourcecode') ?? '';
  if (sourceCode.trim() === '') throw new CompatibleError('Error! Missing sourceCode');
  const contractName = parameters.get('contractname')?.trim() ?? '';
  if (format === 'solidity-standard-json-input') {
    const input = parseCompilerInput(sourceCode);
    return { input, target: parseTarget(contractName, input), kind: 'standard-json' };
  }
  if (format !== 'solidity-single-file')
    throw new CompatibleError('Error! codeformat must be solidity-standard-json-input or solidity-single-file');
  const input = singleFileInput({
    contract: contractName,
    source: sourceCode,
    optimized: parameters.get('optimizationused'),
    runs: parameters.get('runs') || '200',
    evmVersion: parameters.get('evmversion'),
    libraries: parseLibraries(parameters),
  });
  return { input, target: parseTarget(contractName, input), kind: 'single-file' };
}

function parseLibraries(parameters: Given): Record<string, string> {
  const libraries: Record<string, string> = {};
  for (let i = 1; i <= 10; i++) {
    const [name, address] = [parameters.get(`libraryname${i}`)?.trim(), parameters.get(`libraryaddress${i}`)?.trim()];
    if (!name) continue;
    if (!isAddress(address)) throw new CompatibleError(`Error! libraryaddress${i} must be an address`);
    libraries[name] = address;
  }
  return libraries;
}

/** Returns the state of a verification. If it failed, `message` contains the reason. */
export const verificationStatus: CompatibleAction<VerifierDeps> = async ({ deps, parameters }) => {
  const job = await findJob(deps, parameters);
  if (job.state === 'pending') throw new CompatibleError(texts.pending);
  if (job.state === 'verified') return texts.verified;
  if (job.errorCode === 'already_verified') return 'Already Verified';
  throw new CompatibleError(`NOTOK: ${job.message}`, 'message', texts.failed);
};

/** Also checks which implementation the proxy has, if requested. @returns the id of the job */
export const verifyProxy: CompatibleAction<VerifierDeps> = async ({ deps, parameters, charge }) => {
  const address = parseAddress(parameters);
  const expected = parseOptionalAddress(parameters, 'expectedimplementation');
  await charge(verificationCost, 300);
  const code = await readCode(deps.client, address);
  if (code === '0x') throw new CompatibleError(`Unable to locate ContractCode at ${address}`);
  const proxy = await detectProxy(deps.client, address, code);
  const [implementation] = proxy?.implementations ?? [];
  const isExpected = implementation !== undefined && (!expected || proxy?.implementations.includes(expected));
  const end = isExpected
    ? {
        state: 'verified' as const,
        errorCode: '',
        message: `The proxy's (${address}) implementation contract is found at ${expected || implementation} and is successfully updated.`,
      }
    : {
        state: 'failed' as const,
        errorCode: 'no_proxy',
        message: implementation
          ? `The implementation contract at ${implementation} is not the expected one (${expected})`
          : 'A corresponding implementation contract was unfortunately not detected for the proxy address.',
      };
  return deps.verifier.recordEnded('proxy', address, end);
};

export const proxyStatus: CompatibleAction<VerifierDeps> = async ({ deps, parameters }) => {
  const job = await findJob(deps, parameters);
  if (job.state === 'verified') return job.message;
  throw new CompatibleError(job.message);
};

async function findJob({ verifier }: VerifierDeps, parameters: Given): Promise<VerificationJob> {
  const job = await verifier.job(parameters.get('guid')?.trim().toLowerCase() ?? '');
  if (!job) throw new CompatibleError('Error! Unknown UID: no verification has this guid, or it is older than 30 days');
  return job;
}
