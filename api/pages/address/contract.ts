import type { z } from 'zod';
import { CompatibleError } from '../../compatible/action.ts';
import { type CreationDeps, contractCreations } from '../../compatible/contract.ts';
import { grouped } from '../../drawing/grouped.ts';
import { type Html, html } from '../../drawing/html.ts';
import type { VerifiedContracts } from '../../read/contracts/verified-contracts.ts';
import type { getAccount } from '../../routes/accounts/get-account.ts';
import { getToken } from '../../routes/tokens/get-token.ts';
import { orUnknown } from '../../terms/errors.ts';
import { callRoute, type RouteDeps } from '../ask.ts';
import type { PageRequest } from '../page.ts';
import { chainText } from '../parts/chain-text.ts';
import { facts } from '../parts/facts.ts';
import { fullAddress, txLink } from '../parts/links.ts';
import { age } from '../parts/time.ts';

interface Creation {
  readonly contractCreator: string;
  readonly txHash: string;
  readonly timestamp: string;
}

export type ContractDeps = CreationDeps & RouteDeps<typeof getToken> & { readonly verified: VerifiedContracts };

type Code = NonNullable<z.infer<typeof getAccount.response>['code']>;

export async function contractFacts(
  deps: ContractDeps,
  address: string,
  code: Code,
  { now, coin }: Pick<PageRequest, 'now' | 'coin'>,
): Promise<Html> {
  const [creation, token, interfaces] = await Promise.all([
    findCreation(deps, address),
    findToken(deps, address),
    deps.verified.interfaces([address]),
  ]);
  // the verified code may have been replaced since
  const source = interfaces.get(address);
  const name = source?.codeHash === code.hash ? source.name : undefined;
  const path = token?.standard === 'erc20' ? 'token' : 'nft';
  return facts([
    ['Code', html`${grouped(code.size)} bytes <span class="muted hex whole">${code.hash}</span>`],
    [
      'Created',
      creation
        ? html`by ${fullAddress(creation.contractCreator)} in ${txLink(creation.txHash)} ${age(Number(creation.timestamp), now)}`
        : html`<span class="muted">unknown: no indexed transaction or trace shows it</span>`,
    ],
    name !== undefined && [
      'Source',
      html`<span class="badge good">Verified</span> <a href="/address/${address}?tab=contract">${chainText(name, coin)}</a>`,
    ],
    token !== undefined && [
      'Token',
      html`<a href="/${path}/${address}">${token.standard.replace('erc', 'ERC-')} token</a>`,
    ],
  ]);
}

/** Returns who created the contract; undefined if no indexed transaction or trace shows it. */
async function findCreation(deps: CreationDeps, address: string): Promise<Creation | undefined> {
  const requested = {
    deps,
    parameters: new Map([['contractaddresses', address]]),
    headers: {},
    proof: { isCovered: false },
    caller: '',
    ip: '',
    gone: new AbortController().signal,
    charge: async () => {},
  };
  try {
    return ((await contractCreations(requested)) as Creation[])[0];
  } catch (error) {
    if (error instanceof CompatibleError) return undefined;
    throw error;
  }
}

async function findToken(deps: RouteDeps<typeof getToken>, address: string) {
  return (await orUnknown(callRoute(deps, getToken, { address }))) ?? undefined;
}
