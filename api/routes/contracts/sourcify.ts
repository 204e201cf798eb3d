/**
 * Sourcify API v2 for Foundry, Hardhat 3 and Remix. Replies and errors have its field names.
 * @source https://docs.sourcify.dev/docs/api
 */
import { z } from 'zod';
import { isoTimeFromMs } from '#chain/codec/iso-time.ts';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import { bestMatch, type ContractVerifier, type VerificationJob } from '../../read/contracts/contract-verifier.ts';
import { parseCompilerInput, parseMetadata, parseTarget } from '../../read/contracts/parse-input.ts';
import { readSource, type SourceReadDeps } from '../../read/contracts/read-source.ts';
import { describeFields, fieldNames } from '../../read/contracts/sourcify-fields.ts';
import type { InputKind } from '../../read/contracts/verified-contracts.ts';
import type { ChainDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Address, integerFrom, wholeNumber } from '../../terms/primitives.ts';

type Deps = SourceReadDeps & ChainDeps & { readonly verifier: ContractVerifier };

const maxBytes = 4 << 20;
const ChainId = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a chain id')
  .transform(Number)
  .meta({ ...integerFrom(1), description: 'Chain id' });
const ContractPath = z.object({ chainId: ChainId, address: Address });
const Reply = z.looseObject({});
const matchNames = { perfect: 'exact_match', partial: 'match' } as const;
const nameMatch = (match: keyof typeof matchNames | null) => (match === null ? null : matchNames[match]);

const json = (status: number, body: unknown) =>
  new OtherReply('application/json', JSON.stringify(body), {}, undefined, status);

const fail = (status: number, customCode: string, message: string) =>
  json(status, { customCode, message, errorId: crypto.randomUUID() });

/** Runs a handler and converts its errors to Sourcify's format. */
async function answer(handle: () => Promise<OtherReply>): Promise<OtherReply> {
  try {
    return await handle();
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    return fail(error.status, error.code === 'bad_query' ? 'invalid_parameter' : error.code, error.detail);
  }
}

function checkChain({ settings }: ChainDeps, chainId: number): void {
  if (chainId !== settings.chainId)
    throw new ApiProblem(
      'bad_query',
      `chain ${chainId} is not supported: this service indexes chain ${settings.chainId}`,
    );
}

const common = {
  base: '' as const,
  tag: 'contracts' as const,
  query: z.object({}),
  response: Reply,
  errors: [],
  maxAgeSeconds: 0,
};
const postCommon = { ...common, methods: ['post'] as const, params: ContractPath, successStatus: 202, cost: 10 };

interface Submission {
  readonly chainId: number;
  readonly address: string;
  readonly caller: string;
  readonly ip: string;
  readonly keep: (bytes: number) => Promise<void>;
}

async function submit(
  deps: Deps,
  { chainId, address, caller, ip, keep }: Submission,
  source: Pick<Parameters<ContractVerifier['submit']>[0], 'input' | 'target' | 'compilerVersion'>,
  kind: InputKind,
): Promise<OtherReply> {
  checkChain(deps, chainId);
  const stored = await readSource(deps, address);
  if (stored && stored.similarTo === undefined && bestMatch(stored.contract) === 'perfect')
    return fail(409, 'already_verified', `the contract ${address} on chain ${chainId} is already verified`);
  await keep(Buffer.byteLength(JSON.stringify(source.input)));
  const id = await deps.verifier.submit({ address, ...source, kind, license: '' }, { caller, ip });
  return json(202, { verificationId: toUuid(id) });
}

export const postSourcifyVerify = defineRoute({
  ...postCommon,
  id: 'postSourcifyVerify',
  path: '/sourcify/v2/verify/:chainId/:address',
  summary: 'Starts a verification in the format of Sourcify',
  description: 'The body has the standard JSON input of the compiler. The reply has the id of the verification.',
  body: {
    schema: z.looseObject({
      stdJsonInput: z.looseObject({}),
      compilerVersion: z.string(),
      contractIdentifier: z.string(),
    }),
    maxBytes,
    example: {
      stdJsonInput: { language: 'Solidity', sources: { 'a.sol': { content: 'contract A {}' } }, settings: {} },
      compilerVersion: '0.8.37+commit.f401782d',
      contractIdentifier: 'a.sol:A',
    },
  },
  example: '/sourcify/v2/verify/271828/{token}',
  handle: (deps: Deps, { params, body, caller, address: ip, keep }) =>
    answer(async () => {
      const input = parseCompilerInput(body.stdJsonInput);
      const target = parseTarget(body.contractIdentifier, input);
      const source = { input, target, compilerVersion: body.compilerVersion };
      return submit(deps, { ...params, caller, ip, keep }, source, 'standard-json');
    }),
});

export const postSourcifyMetadata = defineRoute({
  ...postCommon,
  id: 'postSourcifyMetadata',
  path: '/sourcify/v2/verify/metadata/:chainId/:address',
  summary: 'Starts a verification from compiler metadata (Sourcify format)',
  body: {
    schema: z.looseObject({ metadata: z.looseObject({}), sources: z.record(z.string(), z.string()) }),
    maxBytes,
    example: {
      metadata: {
        language: 'Solidity',
        compiler: { version: '0.8.37+commit.f401782d' },
        settings: { compilationTarget: { 'a.sol': 'A' } },
        sources: { 'a.sol': {} },
      },
      sources: { 'a.sol': 'contract A {}' },
    },
  },
  example: '/sourcify/v2/verify/metadata/271828/{token}',
  handle: (deps: Deps, { params, body, caller, address: ip, keep }) =>
    answer(async () =>
      submit(deps, { ...params, caller, ip, keep }, parseMetadata(body.metadata, body.sources), 'metadata'),
    ),
});

export const getSourcifyJob = defineRoute({
  ...common,
  id: 'getSourcifyJob',
  path: '/sourcify/v2/verify/:verificationId',
  methods: ['get'],
  summary: 'State of a verification, in the format of Sourcify',
  params: z.object({ verificationId: z.string().regex(/^[0-9a-f-]{32,36}$/i, 'must be the id of a verification') }),
  example: '/sourcify/v2/verify/00000000-0000-0000-0000-000000000000',
  handle: (deps: Deps, { params: { verificationId } }) =>
    answer(async () => {
      const job = await deps.verifier.job(verificationId.replaceAll('-', '').toLowerCase());
      if (!job) return fail(404, 'job_not_found', `no verification has the id ${verificationId}`);
      return json(200, await describeJob(deps, job, verificationId));
    }),
});

async function describeJob(deps: Deps, job: VerificationJob, verificationId: string) {
  const isCompleted = job.state !== 'pending';
  const contract = job.state === 'verified' ? await deps.verified.find(job.address) : undefined;
  return {
    isJobCompleted: isCompleted,
    verificationId,
    jobStartTime: isoTimeFromMs(job.startedMs),
    ...(isCompleted ? { jobFinishTime: isoTimeFromMs(job.endedMs) } : {}),
    contract: {
      match: contract ? nameMatch(bestMatch(contract)) : null,
      creationMatch: contract ? nameMatch(contract.creationMatch) : null,
      runtimeMatch: contract ? nameMatch(contract.runtimeMatch) : null,
      chainId: String(deps.settings.chainId),
      address: job.address,
      ...(contract ? { verifiedAt: isoTimeFromMs(contract.verifiedMs), matchId: String(contract.verifiedMs) } : {}),
    },
    ...(job.state === 'failed'
      ? { error: { customCode: job.errorCode, message: job.message, errorId: verificationId } }
      : {}),
  };
}

export const getSourcifyContract = defineRoute({
  ...common,
  id: 'getSourcifyContract',
  path: '/sourcify/v2/contract/:chainId/:address',
  methods: ['get'],
  summary: 'Verified source code, in the format of Sourcify',
  params: ContractPath,
  query: z.object({
    fields: z
      .string()
      .max(2_000)
      .optional()
      .meta({ description: `Fields to return, or all: ${fieldNames.join(', ')}` }),
    omit: z.string().max(2_000).optional().meta({ description: 'Fields to leave out' }),
  }),
  example: '/sourcify/v2/contract/271828/{token}?fields=abi',
  handle: (deps: Deps, { params: { chainId, address }, query: { fields, omit } }) =>
    answer(async () => {
      checkChain(deps, chainId);
      const source = await readSource(deps, address);
      const head = { chainId: String(chainId), address };
      if (!source || source.similarTo !== undefined)
        return json(404, { match: null, creationMatch: null, runtimeMatch: null, ...head });
      const { contract } = source;
      return json(200, {
        matchId: String(contract.verifiedMs),
        match: nameMatch(bestMatch(contract)),
        creationMatch: nameMatch(contract.creationMatch),
        runtimeMatch: nameMatch(contract.runtimeMatch),
        verifiedAt: isoTimeFromMs(contract.verifiedMs),
        ...head,
        ...describeFields(source, fields, omit),
      });
    }),
});

export const listSourcifyContracts = defineRoute({
  ...common,
  id: 'listSourcifyContracts',
  path: '/sourcify/v2/contracts/:chainId',
  methods: ['get'],
  summary: 'Verified contracts, newest first, in the format of Sourcify',
  params: z.object({ chainId: ChainId }),
  query: z.object({
    limit: wholeNumber(1, 200).default(200).meta({ description: 'Number of contracts' }),
  }),
  example: '/sourcify/v2/contracts/271828?limit=2',
  handle: (deps: Deps, { params: { chainId }, query: { limit } }) =>
    answer(async () => {
      checkChain(deps, chainId);
      const rows = await deps.verified.list(limit, 0);
      return json(200, {
        results: rows.map((row) => ({
          matchId: String(row.verifiedMs),
          match: nameMatch(bestMatch(row)),
          creationMatch: nameMatch(row.creationMatch),
          runtimeMatch: nameMatch(row.runtimeMatch),
          verifiedAt: isoTimeFromMs(row.verifiedMs),
          chainId: String(chainId),
          address: row.address,
        })),
      });
    }),
});

const toUuid = (id: string) => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
