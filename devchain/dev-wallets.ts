/** Wallets of the dev accounts, for signatures that anvil can't make. */
import { HDNodeWallet, Mnemonic } from 'ethers';
import { devMnemonic } from './anvil.ts';

let root: HDNodeWallet | undefined;
const wallets = new Map<number, HDNodeWallet>();

/** Returns and caches a wallet. The first call takes 20 ms. */
export function devWallet(account: number): HDNodeWallet {
  root ??= HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(devMnemonic), "m/44'/60'/0'/0");
  const wallet = wallets.get(account) ?? root.deriveChild(account);
  wallets.set(account, wallet);
  return wallet;
}
