import type { Interface, InterfaceAbi } from 'ethers';
import { readCode } from './code.ts';
import { parseAbi } from './parse-abi.ts';
import { detectProxy } from './proxies.ts';
import type { SourceReadDeps } from './read-source.ts';

/** Maximum number of contracts of one page whose interface is looked up. */
const maxLookUps = 12;

/**
 * Returns the verified interfaces of contracts, by address: their own, that of a contract with the same source, and
 * those of the contracts whose code they run. Leaves out a contract whose code no node returns.
 */
export async function readInterfaces(
  deps: SourceReadDeps,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Interface>> {
  const wanted = [...new Set(addresses)].slice(0, maxLookUps);
  const own = await deps.verified.interfaces(wanted);
  const found = await Promise.all(
    wanted.map(async (address) => {
      const abis = await listAbis(deps, address, own.get(address)?.abi).catch(() => [own.get(address)?.abi ?? []]);
      return [address, mergeAbis(abis)] as const;
    }),
  );
  return new Map(found.filter(([, abi]) => abi.fragments.length > 0));
}

async function listAbis(
  deps: SourceReadDeps,
  address: string,
  own: readonly unknown[] | undefined,
): Promise<(readonly unknown[])[]> {
  const code = await readCode(deps.client, address);
  if (code === '0x') return [];
  const [proxy, similar] = await Promise.all([
    detectProxy(deps.client, address, code),
    own ? undefined : deps.verified.findSimilar(code),
  ]);
  const others = [...(similar ? [similar.address] : []), ...(proxy?.implementations ?? [])];
  const known = await deps.verified.interfaces(others);
  return [own ?? [], ...others.map((other) => known.get(other)?.abi ?? [])];
}

/** Joins ABIs; of equal entries, the first one counts. */
export function mergeAbis(abis: readonly (readonly unknown[])[]): Interface {
  return parseAbi(
    abis.flatMap((abi) =>
      parseAbi(abi as InterfaceAbi).fragments.filter(({ type }) => /^(function|error|event)$/.test(type)),
    ),
  );
}
