import { z } from 'zod';
import { isoTimeFromMs } from '#chain/codec/iso-time.ts';
import { keccak256Hex } from '#chain/verify/keccak.ts';
import { defineRoute } from '../../http/define-route.ts';
import { readCode } from '../../read/contracts/code.ts';
import { bestMatch } from '../../read/contracts/contract-verifier.ts';
import { detectProxy } from '../../read/contracts/proxies.ts';
import { readSource, type SourceReadDeps } from '../../read/contracts/read-source.ts';
import type { VerifiedRow } from '../../read/contracts/verified-contracts.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Address, Count, HexAddress, HexData, HexHash, IsoTime, Limit } from '../../terms/primitives.ts';

const MatchName = z.enum(['exact', 'partial']).meta({
  description:
    'exact: the code on the chain has the metadata hash of the source, so the source is the same to the byte; partial: the code is equal, apart from this hash',
});
const matchName = (match: 'perfect' | 'partial' | null): 'exact' | 'partial' | null =>
  match === 'perfect' ? 'exact' : match;

const Source = z
  .strictObject({
    name: z.string(),
    path: z.string().meta({ description: 'Source file that declares the contract' }),
    language: z.string(),
    compilerVersion: z.string(),
    license: z.string().nullable().meta({ description: 'License, as stated by whoever submitted the source code' }),
    match: MatchName,
    runtimeMatch: MatchName.nullable(),
    creationMatch: MatchName.nullable().meta({
      description:
        'How the creation code matches; null if it does not match, or if no indexed transaction created the contract',
    }),
    verifiedAt: IsoTime,
    similarTo: HexAddress.nullable().meta({
      description:
        'Verified contract that this source code comes from: its code differs only in immutables and metadata hash. null if the contract itself is verified',
    }),
    abi: z.array(z.unknown()),
    sources: z.record(z.string(), z.string()).meta({ description: 'Text of each source file, by path' }),
    settings: z.record(z.string(), z.unknown()).meta({ description: 'Settings of the compiler' }),
    libraries: z.record(z.string(), HexAddress).meta({ description: 'Address of each linked library, by its name' }),
    constructorArguments: HexData.nullable().meta({
      description: 'ABI-encoded constructor arguments; null if the creation of the contract is unknown',
    }),
  })
  .meta({ id: 'ContractSource' });

const Contract = z
  .strictObject({
    address: HexAddress,
    codeHash: HexHash,
    codeSize: Count.meta({ description: 'Size of the code, bytes' }),
    code: HexData.meta({ description: 'Code of the contract at the newest block' }),
    proxy: z
      .strictObject({
        kind: z.string(),
        beacon: HexAddress.nullable(),
        implementations: z.array(z.strictObject({ address: HexAddress, name: z.string().nullable() })),
      })
      .nullable()
      .meta({ description: 'Contracts whose code this contract runs, if it is a known kind of proxy' }),
    source: Source.nullable().meta({ description: 'Verified source code; null if there is none' }),
  })
  .meta({ id: 'Contract' });

export const getContract = defineRoute({
  id: 'getContract',
  base: '/api/v1',
  path: '/contracts/:address',
  methods: ['get'],
  tag: 'contracts',
  summary: 'Verified source code of a contract, and its proxy target',
  description:
    'Code and proxy are those of the newest block. If the code of a contract changes after its verification, the source code is not returned any more.',
  params: z.object({ address: Address }),
  query: z.object({}),
  response: Contract,
  errors: ['not_found', 'node_unavailable', 'state_unavailable'],
  maxAgeSeconds: 1,
  example: '/contracts/{token}',
  handle: async (deps: SourceReadDeps, { params: { address } }) => {
    const source = await readSource(deps, address);
    const code = source?.code ?? (await readCode(deps.client, address));
    if (code === '0x') throw new ApiProblem('not_found', `${address} has no code: it is not a contract`);
    const proxy = source ? source.proxy : await detectProxy(deps.client, address, code);
    const names = await deps.verified.names(proxy?.implementations ?? []);
    return {
      address,
      codeHash: keccak256Hex(code),
      codeSize: (code.length - 2) / 2,
      code,
      proxy: proxy
        ? {
            kind: proxy.kind,
            beacon: proxy.beacon ?? null,
            implementations: proxy.implementations.map((each) => ({
              address: each,
              name: names.get(each) ?? null,
            })),
          }
        : null,
      source: source ? describeSource(source) : null,
    };
  },
});

function describeSource({ contract, similarTo }: NonNullable<Awaited<ReturnType<typeof readSource>>>) {
  const { name, path, language, compilerVersion, settings, abi, sources } = contract;
  // rows of earlier versions also match contracts linked to other libraries
  const libraries = similarTo === undefined ? contract.libraries : {};
  const knowsCreation = similarTo === undefined && contract.creationMatch !== null;
  const match = similarTo === undefined ? bestMatch(contract) : 'partial';
  return {
    ...{ name, path, language, compilerVersion, settings, libraries },
    license: contract.license || null,
    match: matchName(match) ?? 'partial',
    runtimeMatch: similarTo === undefined ? matchName(contract.runtimeMatch) : 'partial',
    creationMatch: similarTo === undefined ? matchName(contract.creationMatch) : null,
    verifiedAt: isoTimeFromMs(contract.verifiedMs),
    similarTo: similarTo ?? null,
    abi: [...abi],
    sources: { ...sources },
    constructorArguments: knowsCreation ? `0x${contract.constructorArguments}` : null,
  };
}

const ListedContract = z
  .strictObject({
    address: HexAddress,
    name: z.string(),
    language: z.string(),
    compilerVersion: z.string(),
    license: z.string().nullable(),
    match: MatchName,
    verifiedAt: IsoTime,
  })
  .meta({ id: 'VerifiedContract' });

export const listVerifiedContracts = defineRoute({
  id: 'listVerifiedContracts',
  base: '/api/v1',
  path: '/contracts',
  methods: ['get'],
  tag: 'contracts',
  summary: 'Contracts with verified source code, newest verification first',
  params: z.object({}),
  query: z.object({
    limit: Limit,
    cursor: z
      .string()
      .regex(/^\d{1,15}_0x[0-9a-f]{40}$/, 'must be the nextCursor of a page of this list')
      .optional()
      .meta({ description: 'nextCursor of the previous page' }),
  }),
  response: z
    .strictObject({ items: z.array(ListedContract), nextCursor: z.string().nullable(), hasMore: z.boolean() })
    .meta({ id: 'VerifiedContractPage' }),
  errors: [],
  maxAgeSeconds: 1,
  example: '/contracts?limit=10',
  handle: async ({ verified }: Pick<SourceReadDeps, 'verified'>, { query: { limit, cursor } }) => {
    const rows = await verified.list(limit + 1, 0, parseCursor(cursor));
    const items = rows.slice(0, limit);
    const last = rows.length > limit ? items.at(-1) : undefined;
    return {
      items: items.map(({ verifiedMs, runtimeMatch, creationMatch, license, ...row }: VerifiedRow) => ({
        ...row,
        license: license || null,
        match: matchName(bestMatch({ runtimeMatch, creationMatch })) ?? ('partial' as const),
        verifiedAt: isoTimeFromMs(verifiedMs),
      })),
      nextCursor: last ? `${last.verifiedMs}_${last.address}` : null,
      hasMore: last !== undefined,
    };
  },
});

function parseCursor(cursor: string | undefined) {
  const [time = '', address = ''] = cursor?.split('_') ?? [];
  return cursor === undefined ? undefined : { verifiedMs: Number(time), address };
}
