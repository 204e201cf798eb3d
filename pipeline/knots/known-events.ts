/** Topics of logs that show what a transaction did for its sender. Token transfers have their own decoder. */
import { id } from 'ethers';

export const knownEvents = {
  approval: id('Approval(address,address,uint256)'),
  approvalForAll: id('ApprovalForAll(address,address,bool)'),
  /** Wrapped native coin. @source WETH9 */
  wrapped: id('Deposit(address,uint256)'),
  unwrapped: id('Withdrawal(address,uint256)'),
  swapV2: id('Swap(address,uint256,uint256,uint256,uint256,address)'),
  swapV3: id('Swap(address,address,int256,int256,uint160,uint128,int24)'),
  mintV2: id('Mint(address,uint256,uint256)'),
  burnV2: id('Burn(address,uint256,uint256,address)'),
} as const;

export const swapTopics: ReadonlySet<string> = new Set([knownEvents.swapV2, knownEvents.swapV3]);

export const knotTopics: readonly string[] = [
  ...Object.values(knownEvents),
  id('Transfer(address,address,uint256)'),
  id('TransferSingle(address,address,address,uint256,uint256)'),
  id('TransferBatch(address,address,address,uint256[],uint256[])'),
];
