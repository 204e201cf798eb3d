/** Wallets of the dev accounts, for signatures that the node can't make. */
import { HDNodeWallet, Mnemonic } from 'ethers';
import { devMnemonic } from './anvil.ts';

let root: HDNodeWallet | undefined;
const wallets = new Map<number, HDNodeWallet>();

/** Returns the wallet of a dev account. The first call takes 20 ms; later calls use a cache. */
export function devWallet(account: number): HDNodeWallet {
  root ??= HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(devMnemonic), "m/44'/60'/0'/0");
  const wallet = wallets.get(account) ?? root.deriveChild(account);
  wallets.set(account, wallet);
  return wallet;
}
