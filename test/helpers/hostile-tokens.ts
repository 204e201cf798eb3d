import { AbiCoder, getCreateAddress, id, zeroPadValue } from 'ethers';
import { creationCode } from '#devchain/compile-contracts.ts';
import type { DevChain } from '#devchain/devchain.ts';
import { Miner } from '#devchain/miner.ts';
import type { TransactionRequest } from '#devchain/transaction-request.ts';
import { chainId } from './service.ts';

/** Number of deployments that fit into the gas of one block. */
const perBlock = 12;

/** Deploys tokens and gives some of each to `owner`. @returns addresses of the tokens, in order */
export async function deployTokens(chain: DevChain, names: readonly string[], owner: string): Promise<string[]> {
  const { Token20 } = chain.world.contracts;
  const from = chain.world.accounts[1]!;
  const first = Number(await chain.rpc.call('eth_getTransactionCount', [from, 'latest']));
  const tokens = names.map((_, i) => getCreateAddress({ from, nonce: first + i }).toLowerCase());
  const mint = Token20.abi.encodeFunctionData('mint', [owner, 1_234_567n * 10n ** 12n]);
  await mine(chain, [
    ...names.map((name) => ({ from, data: creationCode(Token20, [name, name, 18]), gas: 2_000_000 })),
    ...tokens.map((to) => ({ from, to, data: mint, gas: 200_000 })),
  ]);
  return tokens;
}

/** Emits NameRegistered logs with these texts. @returns transaction hashes */
export async function logTexts(chain: DevChain, texts: readonly string[]): Promise<string[]> {
  const from = chain.world.accounts[1]!;
  const before = Number(await chain.rpc.call('eth_blockNumber', []));
  await mine(
    chain,
    texts.map((text) => ({ from, data: logger(text), gas: 1_000_000 })),
  );
  const after = Number(await chain.rpc.call('eth_blockNumber', []));
  const numbers = Array.from({ length: after - before }, (_, i) => `0x${(before + 1 + i).toString(16)}`);
  const blocks = await chain.rpc.batch<{ transactions: string[] }>(
    numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [number, false] })),
  );
  return blocks.flatMap(({ transactions }) => transactions);
}

async function mine(chain: DevChain, requests: readonly TransactionRequest[]): Promise<void> {
  const miner = new Miner(chain.rpc, chainId);
  for (let at = 0; at < requests.length; at += perBlock) await miner.mine(requests.slice(at, at + perBlock));
}

const word = (value: number) => value.toString(16).padStart(4, '0');

/** Returns creation code that logs NameRegistered and creates no contract. */
function logger(text: string): string {
  const data = AbiCoder.defaultAbiCoder().encode(['string', 'uint256', 'uint256'], [text, 1n, 2n]).slice(2);
  const topics = [id('NameRegistered(string,bytes32,address,uint256,uint256)'), id(text), zeroPadValue('0x01', 32)];
  const size = word(data.length / 2);
  const pushes = [...topics].reverse().map((topic) => `7f${topic.slice(2)}`);
  const code = (offset: string) => `61${size}61${offset}600039${pushes.join('')}61${size}6000a360006000f3`;
  return `0x${code(word(code('0000').length / 2))}${data}`;
}
