/** Parses source code that a client sends for verification. */
import { z } from 'zod';
import { isTooDeep, maxJsonLevels } from '#runtime/json-depth.ts';
import { groupBy } from '#runtime/lists.ts';
import type { CompilerInput } from '#verification/types.ts';
import { ApiProblem } from '../../terms/errors.ts';

const maxSources = 1_000;
const maxLibraries = 1_000;

/** @source https://docs.soliditylang.org, "Input Description" */
const Input = z.object({
  language: z.enum(['Solidity', 'Yul'], 'must be Solidity or Yul'),
  sources: z.record(z.string().min(1).max(1_000), z.object({ content: z.string('must be the text of the file') })),
  settings: z.record(z.string(), z.unknown()).default({}),
});

/**
 * Parses standard JSON input of the Solidity compiler. Removes outputSelection and modelChecker, which do not change
 * the code.
 * @param text JSON text, or the parsed object
 * @throws ApiProblem bad_query
 */
export function parseCompilerInput(text: unknown): CompilerInput {
  let value = text;
  if (typeof text === 'string') {
    try {
      // Etherscan encloses the object in a second pair of braces
      value = JSON.parse(text.trim().replace(/^\{(\{[\s\S]*\})\}$/, '$1'));
    } catch {
      throw new ApiProblem(
        'bad_query',
        'the source code must be the standard JSON input of the compiler, but it is not JSON',
      );
    }
  }
  if (isTooDeep(value))
    throw new ApiProblem('bad_query', `standard JSON input must not be nested deeper than ${maxJsonLevels} levels`);
  const parsed = Input.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ApiProblem(
      'bad_query',
      `standard JSON input: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is invalid'}`,
    );
  }
  const { language, sources, settings } = parsed.data;
  if (Object.keys(sources).some((path) => /[\ud800-\udfff]/u.test(path)))
    throw new ApiProblem('bad_query', 'a file name is not valid Unicode');
  const count = Object.keys(sources).length;
  if (count === 0 || count > maxSources)
    throw new ApiProblem('bad_query', `sources must have between 1 and ${maxSources} files with content, got ${count}`);
  // verbatim copies any bytes into the code: anyone could "verify" any contract under any name
  if (language === 'Yul' && Object.values(sources).some(({ content }) => /\bverbatim_/.test(content)))
    throw new ApiProblem('bad_query', 'Yul code with verbatim cannot be verified: it may contain any bytes');
  const { outputSelection: _, modelChecker: __, ...rest } = settings;
  return { language, sources, settings: rest };
}

/**
 * Parses path:Name, or Name if exactly one file declares it.
 * @throws ApiProblem bad_query
 */
export function parseTarget(text: string, { sources }: CompilerInput): { path: string; name: string } {
  const at = text.lastIndexOf(':');
  const [path, name] = [at < 0 ? '' : text.slice(0, at), text.slice(at + 1)];
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name))
    throw new ApiProblem('bad_query', 'the contract must be named as path:Name, for example src/Token.sol:Token');
  if (path !== '') {
    if (!Object.hasOwn(sources, path)) throw new ApiProblem('bad_query', `sources has no file ${path}`);
    return { path, name };
  }
  const declared = new RegExp(`\\b(?:contract|library|interface|object)\\s+"?${name.replaceAll('$', '\\$')}\\b`);
  const paths = Object.keys(sources).filter((file) => declared.test(sources[file]?.content ?? ''));
  const [only] = paths;
  if (only === undefined || paths.length > 1)
    throw new ApiProblem('bad_query', `${paths.length} files declare ${name}: name the contract as path:Name`);
  return { path: only, name };
}

const Metadata = z.object({
  language: z.enum(['Solidity', 'Yul']),
  compiler: z.object({ version: z.string() }),
  settings: z.looseObject({ compilationTarget: z.record(z.string(), z.string()) }),
  sources: z.record(z.string(), z.looseObject({ content: z.string().optional() })),
});

/**
 * Converts Solidity metadata and source files to compiler input, contract name and compiler version.
 * @param files text by path
 * @throws ApiProblem bad_query if the metadata is invalid, or a file is missing
 * @source https://docs.soliditylang.org/en/latest/metadata.html
 */
export function parseMetadata(metadata: unknown, files: Readonly<Record<string, string>>) {
  const parsed = Metadata.safeParse(metadata);
  if (!parsed.success) throw new ApiProblem('bad_query', 'metadata must be the metadata of the Solidity compiler');
  const { language, compiler, settings, sources } = parsed.data;
  const { compilationTarget, ...rest } = settings;
  const [[path, name] = ['', '']] = Object.entries(compilationTarget);
  const missing = Object.keys(sources).find(
    (file) => files[file] === undefined && sources[file]?.content === undefined,
  );
  if (missing !== undefined)
    throw new ApiProblem('bad_query', `sources has no file ${missing}, which the metadata names`);
  const contents = Object.entries(sources).map(([file, { content }]) => [file, { content: files[file] ?? content }]);
  const input = parseCompilerInput({ language, sources: Object.fromEntries(contents), settings: toSettings(rest) });
  return { input, target: parseTarget(`${path}:${name}`, input), compilerVersion: compiler.version };
}

/** Groups libraries by path: metadata has path:Name. @throws ApiProblem bad_query */
function toSettings({ libraries, ...settings }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const all = Object.entries((libraries ?? {}) as Record<string, unknown>);
  if (all.length === 0) return settings;
  if (all.length > maxLibraries)
    throw new ApiProblem('bad_query', `settings.libraries must have at most ${maxLibraries} addresses`);
  const getPath = ([name]: readonly [string, unknown]) => name.slice(0, Math.max(name.lastIndexOf(':'), 0));
  const byPath = [...groupBy(all, getPath)].map(([path, ofPath]) => {
    const named = ofPath.map(([name, address]) => [name.slice(name.lastIndexOf(':') + 1), address]);
    return [path, Object.fromEntries(named)];
  });
  return { ...settings, libraries: Object.fromEntries(byPath) };
}

export interface SingleFile {
  readonly contract: string;
  readonly source: string;
  readonly optimized?: string | undefined;
  readonly runs?: string | undefined;
  readonly evmVersion?: string | undefined;
  /** Library addresses by name. */
  readonly libraries?: Readonly<Record<string, string>>;
}

/**
 * Converts one Solidity file to standard JSON input.
 * @param file `contract` is path:Name, or Name for a file Name.sol
 * @throws ApiProblem bad_query
 */
export function singleFileInput({
  contract,
  source,
  optimized,
  runs = '200',
  evmVersion = '',
  libraries = {},
}: SingleFile): CompilerInput {
  const at = contract.lastIndexOf(':');
  const path = at < 0 ? `${contract.trim()}.sol` : contract.slice(0, at).trim();
  if (!/^\d{1,10}$/.test(runs.trim())) throw new ApiProblem('bad_query', 'runs must be a whole number');
  const version = evmVersion.trim().toLowerCase();
  const settings = {
    optimizer: { enabled: optimized?.trim() === '1', runs: Number(runs) },
    ...(version === '' || version === 'default' ? {} : { evmVersion: version }),
    ...(Object.keys(libraries).length > 0 ? { libraries: { [path]: libraries } } : {}),
  };
  return { language: 'Solidity', sources: { [path]: { content: source } }, settings };
}
