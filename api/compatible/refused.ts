/** Actions of the documented catalogues that this chain or service has no figure for: each is refused with its reason. */
import { type CompatibleAction, CompatibleError } from './action.ts';

/** By module and action in lower case; the text completes "Error! Not available here: …". */
export const refusals: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  account: {
    token404tx: 'ERC-404 transfers are not told apart; tokentx and tokennfttx list what their logs say',
    token7984tx: 'ERC-7984 amounts are confidential and in no log',
  },
  contract: {
    verify: 'contract sources are not held',
    verify_via_sourcify: 'contract sources are not held',
    verify_vyper_contract: 'contract sources are not held',
  },
  token: { bridgedtokenlist: 'the bridge of this chain moves the coin, no tokens' },
  stats: {
    chainsize: 'the size of a node’s data is no fact of the chain, and no node reports it',
    nodecount: 'nobody counts the nodes of this chain',
    nodecounthistory: 'nobody counts the nodes of this chain',
    dailyuncleblkcount: 'the chain has no uncles: each height has one producer',
    dailyavghashrate: 'blocks are not made by proof of work',
    dailyavgnetdifficulty: 'blocks are not made by proof of work',
    dailyensregister: 'the chain has no ENS',
  },
  nametag: {
    getlabelmasterlist: 'labels come from the registry: see /api/v1/registry/labels',
    exportaddresstags: 'labels come from the registry: see /api/v1/registry/labels',
  },
};

export const refused =
  (reason: string): CompatibleAction =>
  async () => {
    throw new CompatibleError(`Error! Not available here: ${reason}`);
  };
