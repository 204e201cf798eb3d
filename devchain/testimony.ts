/** AI agents. A separate account creates their contract, so that other contracts keep their addresses. */

import { getCreateAddress, id } from 'ethers';
import { known } from '#runtime/known.ts';
import { getLast } from '#runtime/lists.ts';
import { creationCode } from './compile-contracts.ts';
import { devWallet } from './dev-wallets.ts';
import type { TransactionRequest } from './transaction-request.ts';
import { type World, withSetup } from './world.ts';

const creator = 58;
export const firstAgent = 40;
const agentNames = ['Beacon', 'Ledger', 'Tide', '<i>Marlin</i>', 'Gannet 海鳥'];
export const agentCount = agentNames.length;
const testifiesEvery = 3;

export function devTestimonyContract(): string {
  return getCreateAddress({ from: devWallet(creator).address, nonce: 0 }).toLowerCase();
}

export const agentId = (address: string) => id(`cord agent ${address}`);

/** Adds setup transactions: block 1 creates the contract, 2 registers the agents, 3 retires the last agent. */
export function withTestimonies(world: World): World {
  const { accounts, contracts } = world;
  const create = {
    from: known(accounts[creator], 'the account that creates the contract'),
    data: creationCode(contracts.Testimony, []),
    gas: 2_000_000,
  };
  const agents = accounts.slice(firstAgent, firstAgent + agentNames.length);
  const registrations = agents.map((agent, i) =>
    call(world, agent, 'register', [agentId(agent), agentNames[i], `https://agents.example.org/${i}`]),
  );
  const mine = [[create], registrations, [call(world, getLast(agents), 'retire', [])]];
  return withSetup(world, mine);
}

/** Plans an agent's testimony about the previous block. Every 60 blocks, its profile changes too. */
export function planTestimonies(world: World, number: number): TransactionRequest[] {
  if (number % testifiesEvery !== 0) return [];
  const at = (number / testifiesEvery) % (agentNames.length - 1);
  const agent = known(world.accounts[firstAgent + at], 'the account of an agent');
  const testimony = call(world, agent, 'testify', [
    number - 1,
    id(`subject ${number % 7}`),
    id(`digest ${number}`),
    `https://agents.example.org/testimonies/${number}`,
  ]);
  if (number % 60 !== 0) return [testimony];
  return [testimony, call(world, agent, 'register', [agentId(agent), `${agentNames[at]} ${number}`, ''])];
}

function call(world: World, from: string, method: string, args: readonly unknown[]): TransactionRequest {
  const data = world.contracts.Testimony.abi.encodeFunctionData(method, args);
  return { from, to: devTestimonyContract(), data, gas: 250_000 };
}
