import { type CompatibleAction, CompatibleError } from './action.ts';

/** Why an action is not available, by module and lower-case action. */
export const refusals: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  account: {
    token404tx: 'the index does not distinguish ERC-404 transfers; tokentx and tokennfttx list them by their logs',
    token7984tx: 'ERC-7984 amounts are confidential, so logs do not contain them',
  },
  contract: {
    verify: 'use the action verifysourcecode',
    verify_via_sourcify: 'send the source code to /sourcify/v2/verify',
    verify_vyper_contract: 'Vyper is not supported',
  },
  token: { bridgedtokenlist: 'the bridge of this chain transfers the native coin, not tokens' },
  stats: {
    chainsize: 'the data size of a node is not on the chain, and nodes do not report it',
    nodecount: 'the nodes of this chain are not counted',
    nodecounthistory: 'the nodes of this chain are not counted',
    dailyuncleblkcount: 'the chain has no uncles',
    dailyavghashrate: 'the chain does not use proof of work',
    dailyavgnetdifficulty: 'the chain does not use proof of work',
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
