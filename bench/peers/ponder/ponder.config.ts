import { createConfig } from 'ponder';
import { parseAbi } from 'viem';

const range = { startBlock: 0, endBlock: Number(process.env.END_BLOCK) };

export default createConfig({
  chains: { cord: { id: 271828, rpc: process.env.PONDER_RPC_URL } },
  contracts: {
    Token: {
      chain: 'cord',
      abi: parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']),
      ...range,
    },
  },
  blocks: { Each: { chain: 'cord', interval: 1, ...range } },
});
