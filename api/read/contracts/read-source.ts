import { keccak256Hex } from '#chain/verify/keccak.ts';
import { describeForeignPart } from '#verification/foreign-parts.ts';
import type { NodeDeps } from '../reader-deps.ts';
import { readCode } from './code.ts';
import { detectProxy, type ProxyTarget } from './proxies.ts';
import type { VerifiedContract, VerifiedContracts } from './verified-contracts.ts';

export interface ContractSource {
  readonly contract: VerifiedContract;
  readonly proxy: ProxyTarget | undefined;
  /** Verified contract with the same source, if this contract is not verified. */
  readonly similarTo: string | undefined;
  /** Code on the chain, 0x hex. */
  readonly code: string;
}

export interface SourceReadDeps extends Pick<NodeDeps, 'client'> {
  readonly verified: VerifiedContracts;
}

/**
 * Returns the source code of a contract, or of a verified contract whose code differs only in immutables and metadata
 * hash. Ignores verifications of earlier code.
 * @throws ApiProblem node_unavailable, state_unavailable
 */
export async function readSource(
  { verified, client }: SourceReadDeps,
  address: string,
): Promise<ContractSource | undefined> {
  const [own, code] = await Promise.all([verified.find(address), readCode(client, address)]);
  if (code === '0x') return undefined;
  if (own && own.codeHash === keccak256Hex(code) && !hasForeignPart(own, code))
    return { contract: own, code, proxy: await detectProxy(client, address, code), similarTo: undefined };
  verified.onMissing(address);
  const similar = await verified.findSimilar(address, code);
  const contract = similar && (await verified.find(similar.address));
  if (!contract) return undefined;
  return { contract, code, proxy: await detectProxy(client, address, code), similarTo: contract.address };
}

/** Checks again, because earlier versions stored contracts without this check. */
const hasForeignPart = ({ address, transformations }: VerifiedContract, code: string) =>
  describeForeignPart(transformations.runtimeTransformations, code, address) !== undefined;

export function toCompilerInput({ language, sources, settings }: VerifiedContract) {
  const contents = Object.entries(sources).map(([path, content]) => [path, { content }]);
  return { language, sources: Object.fromEntries(contents) as Record<string, { content: string }>, settings };
}
