/** The node can't make these signatures. */
import { HDNodeWallet, Mnemonic } from 'ethers';
import { devMnemonic } from './anvil.ts';

let root: HDNodeWallet | undefined;
const wallets = new Map<number, HDNodeWallet>();

/** Takes 20 ms, so only on first use. */
export function devWallet(account: number): HDNodeWallet {
  root ??= HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(devMnemonic), "m/44'/60'/0'/0");
  const wallet = wallets.get(account) ?? root.deriveChild(account);
  wallets.set(account, wallet);
  return wallet;
}
