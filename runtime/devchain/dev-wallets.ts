/** Wallets of the dev accounts, for what the node can't sign itself. */
import { HDNodeWallet, Mnemonic } from 'ethers';
import { devAccountCount, devMnemonic } from './anvil.ts';

export function devWallets(): HDNodeWallet[] {
  const root = HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(devMnemonic), "m/44'/60'/0'/0");
  return Array.from({ length: devAccountCount }, (_, i) => root.deriveChild(i));
}
