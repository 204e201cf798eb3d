import type { z } from 'zod';
import { CompatibleError } from '../../compatible/action.ts';
import { type CreationDeps, contractCreations } from '../../compatible/contract.ts';
import { grouped } from '../../drawing/grouped.ts';
import { Html, html } from '../../drawing/html.ts';
import type { VerifiedContracts } from '../../read/contracts/verified-contracts.ts';
import type { getAccount } from '../../routes/accounts/get-account.ts';
import { getToken } from '../../routes/tokens/get-token.ts';
import { orUnknown } from '../../terms/errors.ts';
import { callRoute, type RouteDeps } from '../ask.ts';
import { type ContractTabDeps, findContract } from '../contract/source-tab.ts';
import type { PageRequest } from '../page.ts';
import { chainText, readableText } from '../parts/chain-text.ts';
import { type Fact, facts } from '../parts/facts.ts';
import { fullAddress, txLink } from '../parts/links.ts';
import { age } from '../parts/time.ts';

interface Creation {
  readonly contractCreator: string;
  readonly txHash: string;
  readonly timestamp: string;
}

export type ContractDeps = CreationDeps & RouteDeps<typeof getToken> & { readonly verified: VerifiedContracts };

type Code = NonNullable<z.infer<typeof getAccount.response>['code']>;

type Account = Pick<z.infer<typeof getAccount.response>, 'address' | 'type' | 'code' | 'nonce'>;

export interface CodeFacts {
  readonly facts: Html | false;
  /** Whether the address is or was a contract. */
  readonly isContract: boolean;
}

/** Shows current, delegated or former code. */
export async function codeFacts(
  deps: ContractDeps & ContractTabDeps,
  { address, type, code, nonce }: Account,
  request: Pick<PageRequest, 'now' | 'coin'>,
): Promise<CodeFacts> {
  if (type === 'eip7702') return { facts: await delegationFacts(deps, address), isContract: true };
  if (code) return { facts: await contractFacts(deps, address, code, request), isContract: true };
  // an address without code or sent transactions can be a destroyed contract
  const creation = type === 'eoa' && nonce === 0 ? await findCreation(deps, address) : undefined;
  if (!creation) return { facts: false, isContract: type === 'unknown' };
  const list: Fact[] = [
    ['Code', html`<span class="muted">none now: the contract destroyed itself, or was created without code</span>`],
    ['Created', creationView(creation, request.now)],
  ];
  return { facts: facts(list), isContract: true };
}

const creationView = ({ contractCreator, txHash, timestamp }: Creation, now: number): Html =>
  html`by ${fullAddress(contractCreator)} in ${txLink(txHash)} ${age(Number(timestamp), now)}`;

async function contractFacts(
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
  // the code may have been replaced after its verification
  const source = interfaces.get(address);
  const name = source?.codeHash === code.hash ? source.name : undefined;
  const path = token?.standard === 'erc20' ? 'token' : 'nft';
  return facts([
    ['Code', html`${grouped(code.size)} bytes <span class="muted hex whole">${code.hash}</span>`],
    [
      'Created',
      creation
        ? creationView(creation, now)
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

/** Shows the contract to which an account delegates. @source EIP-7702 */
async function delegationFacts(deps: ContractTabDeps, address: string): Promise<Html | false> {
  const contract = await findContract(deps, address);
  if (contract instanceof Html) return contract;
  const [target] = contract.proxy?.implementations ?? [];
  if (!target) return false;
  const name = target.name !== null && html`<small>${readableText(target.name)}</small>`;
  return facts([['Runs the code of', html`${fullAddress(target.address)}${name}`]]);
}

/** Returns undefined if no indexed transaction or trace contains the creation. */
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
