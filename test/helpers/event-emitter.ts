import { concat, dataLength, getCreateAddress, toBeHex, zeroPadValue } from 'ethers';
import type { DevRpc } from '#devchain/dev-rpc.ts';

/**
 * Deploys a contract that emits logs. @param topics number of topics per log
 * @returns the contract's address, and a function that emits a log
 */
export async function deployEmitter(rpc: DevRpc, from: string, topics: 2 | 3 | 4) {
  const skip = `60${(32 * topics).toString(16)}`;
  const load = Array.from({ length: topics }, (_, i) => `60${(32 * (topics - 1 - i)).toString(16).padStart(2, '0')}35`);
  // copies the data after the topics to memory, loads the topics, logs
  const runtime = `0x${skip}3603` + `80${skip}600037${load.join('')}${(0x80 + topics).toString(16)}6000a${topics}00`;
  const init = `0x60${toBeHex(dataLength(runtime)).slice(2)}80600b6000396000f3`;
  const nonce = Number(await rpc.call('eth_getTransactionCount', [from, 'pending']));
  const send = (more: { to?: string; data: string }) =>
    rpc.call('eth_sendTransaction', [{ from, gas: '0xf4240', ...more }]);
  await send({ data: concat([init, runtime]) });
  await rpc.call('evm_mine', []);
  const address = getCreateAddress({ from, nonce }).toLowerCase();
  const emit = (log: { topics: readonly string[]; data: string }) =>
    send({ to: address, data: concat([...log.topics, log.data]) });
  return { address, emit };
}

/** The deployed contract emits logs with three or four topics, like TOKEN-20 and NFT transfers. */
export async function deployMixedEmitter(rpc: DevRpc, from: string) {
  const emitters = { 3: await deployEmitter(rpc, from, 3), 4: await deployEmitter(rpc, from, 4) };
  // DELEGATECALL to the address in the first word, with the data after it
  const runtime = '0x60203603806020600037600060009160006000355af400';
  const nonce = Number(await rpc.call('eth_getTransactionCount', [from, 'pending']));
  const send = (more: { to?: string; data: string }) =>
    rpc.call('eth_sendTransaction', [{ from, gas: '0xf4240', ...more }]);
  await send({ data: concat([`0x60${toBeHex(dataLength(runtime)).slice(2)}80600b6000396000f3`, runtime]) });
  await rpc.call('evm_mine', []);
  const address = getCreateAddress({ from, nonce }).toLowerCase();
  const emit = ({ topics, data }: { topics: readonly string[]; data: string }) => {
    const { address: code } = emitters[topics.length as 3 | 4];
    return send({ to: address, data: concat([zeroPadValue(code, 32), ...topics, data]) });
  };
  return { address, emit };
}
