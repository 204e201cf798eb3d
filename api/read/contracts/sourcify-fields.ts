/** Fields of a verified contract in Sourcify's format. @source https://docs.sourcify.dev/docs/api, GET /v2/contract */
import { ApiProblem } from '../../terms/errors.ts';
import { type ContractSource, toCompilerInput } from './read-source.ts';

type Field = (source: ContractSource) => unknown;

const fields: Readonly<Record<string, Field>> = {
  abi: ({ contract }) => contract.abi,
  sources: ({ contract }) => toCompilerInput(contract).sources,
  stdJsonInput: ({ contract }) => toCompilerInput(contract),
  compilation: ({ contract }) => ({
    language: contract.language,
    compiler: 'solc',
    compilerVersion: contract.compilerVersion,
    compilerSettings: contract.settings,
    name: contract.name,
    fullyQualifiedName: `${contract.path}:${contract.name}`,
  }),
  metadata: ({ contract }) => contract.metadata,
  userdoc: ({ contract }) => contract.userdoc,
  devdoc: ({ contract }) => contract.devdoc,
  storageLayout: ({ contract }) => contract.storageLayout,
  runtimeBytecode: ({ contract, code }) => ({
    onchainBytecode: code,
    recompiledBytecode: contract.compiledRuntimeCode,
    transformations: contract.transformations.runtimeTransformations.list,
    transformationValues: contract.transformations.runtimeTransformations.values,
  }),
  creationBytecode: ({ contract }) => ({
    recompiledBytecode: contract.compiledCreationCode,
    transformations: contract.transformations.creationTransformations.list,
    transformationValues: contract.transformations.creationTransformations.values,
  }),
  proxyResolution: ({ proxy }) => ({
    isProxy: proxy !== undefined,
    proxyType: proxy?.kind ?? null,
    implementations: (proxy?.implementations ?? []).map((address) => ({ address })),
  }),
};

export const fieldNames = Object.keys(fields);

/** @throws ApiProblem bad_query if a field is unknown or both parameters are set */
export function describeFields(source: ContractSource, wanted = '', omit = ''): Record<string, unknown> {
  if (wanted !== '' && omit !== '') throw new ApiProblem('bad_query', 'send either fields or omit, not both');
  if (wanted === '' && omit === '') return {};
  const given = (wanted || omit).split(',').map((name) => name.trim().split('.')[0] ?? '');
  const unknown = given.find((name) => name !== 'all' && !Object.hasOwn(fields, name));
  if (unknown !== undefined)
    throw new ApiProblem('bad_query', `unknown field ${unknown.slice(0, 60)}; accepted are ${fieldNames.join(', ')}`);
  const names =
    omit !== '' ? fieldNames.filter((name) => !given.includes(name)) : given.includes('all') ? fieldNames : given;
  return Object.fromEntries(names.map((name) => [name, fields[name]?.(source)]));
}
