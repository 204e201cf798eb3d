import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { OtherReply } from '../../http/reply.ts';
import type { ContractVerifier } from '../../read/contracts/contract-verifier.ts';
import { parseCompilerInput, parseTarget, singleFileInput } from '../../read/contracts/parse-input.ts';
import { Address } from '../../terms/primitives.ts';

/** Receives the form of /contract/verify, and redirects the browser to the result. @source HTML, Refresh header */
export const postVerifyForm = defineRoute({
  id: 'postVerifyForm',
  base: '',
  path: '/contract/verify',
  methods: ['post'],
  tag: 'contracts',
  summary: 'Starts a verification from the form of the explorer',
  description:
    'The reply redirects a browser to the result. Programs should use the Sourcify interface or /api instead.',
  params: z.object({}),
  query: z.object({
    address: Address,
    compilerVersion: z.string().max(100).meta({ description: 'Version of the compiler' }),
    format: z.enum(['standard-json', 'single-file']).meta({ description: 'Format of the source code' }),
    contract: z.string().max(1_000).meta({ description: 'Name of the contract, as path:Name' }),
    source: z.string().min(1).meta({ description: 'Source code, or standard JSON input of the compiler' }),
    optimized: z.enum(['1', '']).optional().meta({ description: '1: use the optimizer (only for a single file)' }),
    runs: z.string().optional().meta({ description: 'Optimizer runs (only for a single file)' }),
    evmVersion: z.string().max(20).optional().meta({ description: 'EVM version (only for a single file)' }),
  }),
  response: z.looseObject({}),
  errors: ['node_unavailable', 'state_unavailable'],
  cost: 10,
  maxAgeSeconds: 0,
  successStatus: 202,
  mediaTypes: ['text/html; charset=utf-8'],
  example:
    '/contract/verify?address={token}&compilerVersion=0.8.37&format=single-file&contract=A&source=contract%20A%20%7B%7D',
  handle: async ({ verifier }: { readonly verifier: ContractVerifier }, { query, caller, address: ip, keep }) => {
    await keep(Buffer.byteLength(query.source));
    const { address, compilerVersion, format: kind } = query;
    const isSingle = kind === 'single-file';
    const input = isSingle ? singleFileInput(query) : parseCompilerInput(query.source);
    const target = parseTarget(query.contract.trim(), input);
    const id = await verifier.submit({ address, compilerVersion, input, target, kind, license: '' }, { caller, ip });
    const page = `/contract/verification/${id}`;
    const body = `<!doctype html><title>Verification</title><a href="${page}">Result of the verification</a>`;
    return new OtherReply('text/html; charset=utf-8', body, { Refresh: `0; url=${page}` }, undefined, 202);
  },
});
