import { createRequire } from 'node:module';
import {
  type CompilationLanguage,
  type ISolidityCompiler,
  SolidityCompilation,
  type SolidityJsonInput,
  type SolidityOutput,
  type SourcifyChain,
  SourcifyLibError,
  setLibSourcifyLoggerLevel,
  Verification,
  type VerificationExport,
  YulCompilation,
} from '@ethereum-sourcify/lib-sourcify';
import { id } from 'ethers';
import { describeForeignPart, getPartValue } from '../foreign-parts.ts';
import type {
  ContractCreation,
  LimitedQuestion,
  Match,
  Transformation,
  Transformations,
  VerificationFailure,
  VerificationQuestion,
  VerificationResult,
  VerifiedSource,
} from '../types.ts';

const require = createRequire(import.meta.url);
/** Log level that prints nothing. Errors are in the result. */
const silent = -1;

/** Compiles the sources and compares the result with the contract. Never throws: errors are in the result. */
export async function verifySource(question: LimitedQuestion): Promise<VerificationResult> {
  setLibSourcifyLoggerLevel(silent);
  const compiler = new Compiler(question.compilerPath);
  const startedAt = performance.now();
  const result = await verifyInput(question, compiler);
  if (!('verified' in result) || result.verified.runtimeMatch !== 'partial') return result;
  const given = readLibraries(question.input);
  // both compilations must end within the limit; the second is faster, because the compiler is loaded
  const isSlow = performance.now() - startedAt > question.timeoutMs / 2;
  if (Object.keys(given).length === 0 || isSlow) return result;
  // Hardhat compiles without library addresses, but its plugin sends them, and they change the metadata hash
  const { libraries: _, ...settings } = question.input.settings as Settings;
  const unlinked = await verifyInput({ ...question, input: { ...question.input, settings } }, compiler);
  if (!('verified' in unlinked) || unlinked.verified.runtimeMatch !== 'perfect') return result;
  const isSame = ([name, address]: readonly [string, string]) => (given[name] ?? address) === address;
  return Object.entries(unlinked.verified.libraries).every(isSame) ? unlinked : result;
}

async function verifyInput(question: VerificationQuestion, compiler: Compiler): Promise<VerificationResult> {
  try {
    const { compilerVersion, input, target, address, creation } = question;
    const Compilation = input.language === 'Yul' ? YulCompilation : SolidityCompilation;
    const compilation = new Compilation(compiler, compilerVersion, structuredClone(input) as SolidityJsonInput, target);
    const verification = new Verification(compilation, knownChain(question), address, creation?.transactionHash);
    await verification.verify();
    const exported = verification.export();
    const foreign = findForeignPart(exported, question);
    if (foreign !== undefined) return { failure: { code: 'no_match', message: foreign } };
    return checkResult(describe(exported, question));
  } catch (error) {
    return { failure: describeFailure(error, compiler.errors) };
  }
}

function findForeignPart(
  { transformations: { runtime, creation }, status }: VerificationExport,
  { runtimeCode, address, creation: made }: VerificationQuestion,
): string | undefined {
  const foreign = describeForeignPart(runtime, runtimeCode, address);
  if (foreign !== undefined || made === undefined || toMatch(status.creationMatch) === null) return foreign;
  const linked = runtime.values.libraries ?? {};
  const [other] =
    Object.entries(creation.values.libraries ?? {}).find(([name, at]) => (linked[name] ?? at) !== at) ?? [];
  if (other !== undefined) return `the creation code has another address of the library ${other}`;
  return describeForeignPart(creation, made.initCode, address);
}

/** Maximum JSON bytes of an ABI and of a complete result, because a short source can have an ABI of any size. */
const [maxAbiBytes, maxResultBytes] = [256 << 10, 12 << 20];

function checkResult(verified: VerifiedSource): VerificationResult {
  // a constructor can return any code, so equal creation code proves nothing about the runtime code
  if (verified.runtimeMatch === null)
    return {
      failure: {
        code: 'no_match',
        message: 'only the creation code matches: the code on the chain differs',
      },
    };
  const isLarge = JSON.stringify(verified.abi).length > maxAbiBytes || JSON.stringify(verified).length > maxResultBytes;
  if (!isLarge) return { verified };
  return { failure: { code: 'result_too_large', message: `the ABI must not exceed ${maxAbiBytes} bytes of JSON` } };
}

/** A solc build in JavaScript. Collects the errors of the last compilation. */
class Compiler implements ISolidityCompiler {
  errors: readonly string[] = [];
  readonly #path: string;
  #compile: ((input: string) => string) | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async compile(_version: string, input: SolidityJsonInput): Promise<SolidityOutput> {
    const wrapper = require('solc/wrapper') as (soljson: unknown) => { compile(input: string): string };
    this.#compile ??= wrapper(require(this.#path)).compile;
    const output = JSON.parse(this.#compile(JSON.stringify(input))) as SolidityOutput;
    const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
    this.errors = errors.map(({ formattedMessage, message }) => formattedMessage ?? message);
    if (this.errors.length > 0) throw new Error('the compiler reports errors');
    return output;
  }
}

/** Answers libSourcify's requests for chain data without a node. */
function knownChain({ chainId, runtimeCode, creation }: VerificationQuestion): SourcifyChain {
  const chain = {
    chainId,
    getBytecode: async () => runtimeCode,
    getTx: async () => ({ blockNumber: creation?.blockNumber, from: creation?.deployer }),
    getContractCreationBytecodeAndReceipt: async () => ({
      creationBytecode: (creation as ContractCreation).initCode,
      txReceipt: { index: 0 },
    }),
  };
  return chain as unknown as SourcifyChain;
}

function describe(result: VerificationExport, { target, runtimeCode }: VerificationQuestion): VerifiedSource {
  const { compilation, status, transformations } = result;
  const { contractCompilerOutput: output } = compilation;
  const { runtime, creation } = transformations;
  const args = creation.values.constructorArguments;
  return {
    runtimeMatch: toMatch(status.runtimeMatch),
    creationMatch: toMatch(status.creationMatch),
    runtimeTransformations: runtime,
    creationTransformations: creation,
    openRanges: openRanges(runtime, compilation.runtimeBytecodeCborAuxdata ?? {}, runtimeCode),
    language: compilation.language satisfies CompilationLanguage,
    compilerVersion: compilation.compilerVersion,
    ...target,
    sources: usedSources(compilation),
    settings: compilation.jsonInput.settings as Record<string, unknown>,
    abi: output.abi ?? [],
    userdoc: output.userdoc ?? {},
    devdoc: output.devdoc ?? {},
    storageLayout: output.storageLayout ?? null,
    metadata: compilation.metadata ?? null,
    compiledRuntimeCode: compilation.runtimeBytecode ?? '0x',
    compiledCreationCode: compilation.creationBytecode ?? '0x',
    constructorArguments: typeof args === 'string' ? args.replace(/^0x/, '') : '',
    libraries: {
      ...linkedLibraries(compilation),
      // the constructor can use libraries that the contract does not call later
      ...nameLibraries({ ...result.libraryMap.creation, ...result.libraryMap.runtime }, output.evm),
    },
  };
}

const toMatch = (status: VerificationExport['status']['runtimeMatch']): Match =>
  status === 'perfect' || status === 'partial' ? status : null;

/** Returns the sources that were compiled into the contract. */
function usedSources({ sources, metadata }: VerificationExport['compilation']): Record<string, string> {
  const used = metadata && Object.keys(metadata.sources);
  return Object.fromEntries(Object.entries(sources).filter(([path]) => used?.includes(path) ?? true));
}

interface Settings {
  /** Addresses by path and name. @source solc, "Compiler Input and Output JSON Description" */
  readonly libraries?: unknown;
}

/** Returns the library addresses in compiler settings by qualified name, path:Name. Skips invalid values. */
function readLibraries({ settings }: { readonly settings?: unknown }): Record<string, string> {
  const { libraries } = (settings ?? {}) as Settings;
  const entries = (value: unknown) => Object.entries(value ?? {}) as [string, unknown][];
  const all = entries(libraries).flatMap(([path, ofFile]) =>
    entries(ofFile).map(([name, address]): [string, unknown] => [`${path}:${name}`, address]),
  );
  return Object.fromEntries(
    all.flatMap(([name, address]) => (typeof address === 'string' ? [[name, address.toLowerCase()]] : [])),
  );
}

/** Returns the libraries of the settings that the compiler linked into the code. */
function linkedLibraries({
  jsonInput,
  creationBytecode = '',
  runtimeBytecode = '',
}: Pick<VerificationExport['compilation'], 'jsonInput' | 'creationBytecode' | 'runtimeBytecode'>) {
  const code = creationBytecode + runtimeBytecode;
  return Object.fromEntries(
    Object.entries(readLibraries(jsonInput)).filter(
      ([, address]) => address.length === 42 && code.includes(address.slice(2)),
    ),
  );
}

/** Returns library addresses by qualified name, path:Name, not by placeholder. @source solc, "Library Linking" */
function nameLibraries(
  addresses: Readonly<Record<string, string>>,
  { bytecode, deployedBytecode }: VerificationExport['compilation']['contractCompilerOutput']['evm'],
): Record<string, string> {
  const names = [bytecode, deployedBytecode].flatMap(({ linkReferences = {} }) =>
    Object.entries(linkReferences).flatMap(([path, ofFile]) => Object.keys(ofFile).map((name) => `${path}:${name}`)),
  );
  const byPlaceholder = new Map(names.map((name) => [`__$${id(name).slice(2, 36)}$__`, name]));
  return Object.fromEntries(
    Object.entries(addresses).map(([placeholder, address]) => [
      byPlaceholder.get(placeholder) ?? placeholder,
      `0x${address.replace(/^0x/, '')}`,
    ]),
  );
}

/** Returns, in order, the parts of the runtime code that differ between contracts of the same source. */
function openRanges(
  { list, values }: Transformations,
  auxdata: Readonly<Record<string, { readonly offset: number; readonly value: string }>>,
  code: string,
): [number, number][] {
  const byteLength = (hex: string) => (hex.length - 2) / 2;
  // a contract linked to another library can behave differently, so library addresses must match
  const isOpen = ({ reason }: Transformation) => reason !== 'library';
  const ranges = list
    .filter(isOpen)
    .map((each): [number, number] => [each.offset, byteLength(getPartValue(each, values))]);
  // without metadata, the code on the chain is shorter than the compiled code, so offsets differ
  const isShortened = list.some(({ type }) => type === 'delete');
  for (const { offset, value } of isShortened ? [] : Object.values(auxdata)) ranges.push([offset, byteLength(value)]);
  const inside = ranges.filter(([offset, length]) => length > 0 && offset + length <= byteLength(code));
  const unique = new Map(inside.map((range) => [range.join(), range]));
  return [...unique.values()].sort(([a], [b]) => a - b);
}

/** Maximum characters of compiler messages in a failure. */
const maxMessage = 4_000;

function describeFailure(error: unknown, compilerErrors: readonly string[]): VerificationFailure {
  if (compilerErrors.length > 0)
    return { code: 'compiler_error', message: compilerErrors.join('\n').slice(0, maxMessage) };
  if (error instanceof SourcifyLibError) return { code: error.code, message: error.message.slice(0, maxMessage) };
  return { code: 'internal_error', message: 'the compiler failed' };
}
