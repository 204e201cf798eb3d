/** Wallet in a browser page (EIP-1193, EIP-6963) that signs with a key of the test and sends to its node. */
import { type HDNodeWallet, toUtf8String, type Wallet } from 'ethers';
import type { Page } from 'playwright-core';
import type { DevRpc } from '#devchain/dev-rpc.ts';

export interface BrowserWallet {
  /** Methods that the page called. */
  readonly asked: string[];
  /** Chain of the wallet, hex. */
  chainId: string;
  /** Account that signs messages. */
  signer: Wallet | HDNodeWallet;
}

const walletName = 'Test <b>wallet</b>';

export async function addWallet(page: Page, rpc: DevRpc, wallet: Wallet | HDNodeWallet): Promise<BrowserWallet> {
  const state: BrowserWallet = { asked: [], chainId: '0x1', signer: wallet };
  // biome-ignore lint/suspicious/noExplicitAny: parameters of JSON-RPC
  const answers: Record<string, (first: any) => unknown> = {
    eth_requestAccounts: () => [wallet.address],
    eth_accounts: () => [wallet.address],
    eth_chainId: () => state.chainId,
    wallet_switchEthereumChain: () => {
      throw { code: 4902, message: 'unknown chain' };
    },
    wallet_addEthereumChain: ({ chainId }) => {
      state.chainId = chainId;
      return null;
    },
    personal_sign: (message) => state.signer.signMessage(toUtf8String(message)),
    eth_estimateGas: (call) => rpc.call('eth_estimateGas', [call]),
    eth_sendTransaction: async ({ to, data, value, chainId }) => {
      if (chainId !== state.chainId) throw { code: -32602, message: 'the transaction is for another chain' };
      const { hash } = await wallet.sendTransaction({ to, data, value });
      await rpc.call('evm_mine', []);
      return hash;
    },
  };
  await page.exposeFunction('askWallet', async (method: string, [first]: unknown[] = []) => {
    state.asked.push(method);
    try {
      return { result: await answers[method]?.(first) };
    } catch (error) {
      return { error };
    }
  });
  await page.addInitScript(`
    const provider = { request: async ({ method, params }) => {
      const { result, error } = await window.askWallet(method, params);
      if (error) throw error;
      return result;
    } };
    const detail = Object.freeze({ info: { uuid: 'test', name: '${walletName}', icon: '', rdns: 'test' }, provider });
    const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
    window.addEventListener('eip6963:requestProvider', announce);
    announce();`);
  return state;
}
