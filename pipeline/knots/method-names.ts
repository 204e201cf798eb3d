/** Names of common methods by selector, from their signatures; what is not here is shown as its selector. */
import { id } from 'ethers';

const signatures = [
  ...['transfer(address,uint256)', 'transferFrom(address,address,uint256)', 'approve(address,uint256)'],
  ...[
    'increaseAllowance(address,uint256)',
    'decreaseAllowance(address,uint256)',
    'mint(address,uint256)',
    'mint(address)',
  ],
  ...['mint(uint256)', 'mint()', 'burn(uint256)', 'burn(address,uint256)', 'burnFrom(address,uint256)'],
  ...[
    'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
    'deposit()',
    'deposit(uint256)',
    'withdraw(uint256)',
  ],
  ...['deposit(uint256,address)', 'withdraw(uint256,address,address)', 'redeem(uint256,address,address)', 'withdraw()'],
  ...[
    'safeTransferFrom(address,address,uint256)',
    'safeTransferFrom(address,address,uint256,bytes)',
    'safeMint(address)',
  ],
  ...[
    'safeTransferFrom(address,address,uint256,uint256,bytes)',
    'setApprovalForAll(address,bool)',
    'claim()',
    'claim(uint256)',
  ],
  ...['safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', 'mintBatch(address,uint256[],uint256[])'],
  ...['mintBatch(address,uint256[],uint256[],bytes)', 'airdrop(address[],uint256)', 'airdrop(address[],uint256[])'],
  ...['swapExactTokensForTokens(uint256,uint256,address[],address,uint256)', 'swapExactIn(bool,uint256,address)'],
  ...['swapTokensForExactTokens(uint256,uint256,address[],address,uint256)', 'swap(uint256,uint256,address,bytes)'],
  ...[
    'swapExactETHForTokens(uint256,address[],address,uint256)',
    'swapETHForExactTokens(uint256,address[],address,uint256)',
  ],
  ...['swapExactTokensForETH(uint256,uint256,address[],address,uint256)'],
  ...['swapTokensForExactETH(uint256,uint256,address[],address,uint256)', 'swap(address,bool,int256,uint160,bytes)'],
  ...['exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))', 'multicall(bytes[])'],
  ...['exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))', 'multicall(uint256,bytes[])'],
  ...[
    'exactInput((bytes,address,uint256,uint256,uint256))',
    'execute(bytes,bytes[],uint256)',
    'execute(bytes,bytes[])',
  ],
  ...['addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)', 'addLiquidity(uint256,uint256)'],
  ...['addLiquidityETH(address,uint256,uint256,uint256,address,uint256)', 'createPair(address,address)'],
  ...['removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)', 'removeLiquidity(uint256)'],
  ...['removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)', 'pay(address[])', 'fail(uint256)'],
  ...[
    'stake(uint256)',
    'stake()',
    'unstake(uint256)',
    'claimRewards()',
    'getReward()',
    'harvest()',
    'exit()',
    'delegate(address)',
  ],
  ...['castVote(uint256,uint8)', 'castVoteWithReason(uint256,uint8,string)', 'queue(uint256)', 'execute(uint256)'],
  ...[
    'propose(address[],uint256[],bytes[],string)',
    'cancel(uint256)',
    'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
  ],
  ...['addOwnerWithThreshold(address,uint256)', 'removeOwner(address,address,uint256)', 'transferOwnership(address)'],
  ...['renounceOwnership()', 'grantRole(bytes32,address)', 'revokeRole(bytes32,address)', 'pause()', 'unpause()'],
  ...['upgradeTo(address)', 'upgradeToAndCall(address,bytes)', 'initialize()', 'setFee(uint256)', 'setBaseURI(string)'],
  ...['borrow(uint256)', 'borrow(address,uint256,uint256,uint16,address)', 'repay(uint256)', 'supply(uint256)'],
  ...[
    'repay(address,uint256,uint256,address)',
    'supply(address,uint256,address,uint16)',
    'liquidationCall(address,address,address,uint256,bool)',
  ],
  ...['register(string,address,uint256)', 'renew(string,uint256)', 'registerHash(bytes32)', 'submitAnswer(int256)'],
  ...[
    'claimMigration(bytes32,address,uint256,bytes)',
    'release()',
    'release(address)',
    'sweep(address)',
    'lock(uint256)',
    'unlock()',
  ],
];

const names = new Map(signatures.map((signature) => [id(signature).slice(0, 10), signature.split('(')[0]!]));

/** @param selector 0x and 8 hex digits; '0x' of a plain transfer gives '' */
export function methodName(selector: string): string {
  return selector.length < 10 ? '' : (names.get(selector) ?? selector);
}

/** What a call is to its sender where its name alone says so. */
export const kindOfMethod: ReadonlyMap<string, { kind: string; direction: 'in' | 'out' }> = new Map([
  ['stake', { kind: 'stake', direction: 'out' }],
  ['unstake', { kind: 'unstake', direction: 'in' }],
  ['claimRewards', { kind: 'reward_claim', direction: 'in' }],
  ['getReward', { kind: 'reward_claim', direction: 'in' }],
  ['harvest', { kind: 'reward_claim', direction: 'in' }],
  ['claimMigration', { kind: 'bridge_in', direction: 'in' }],
  ['addLiquidity', { kind: 'liquidity_add', direction: 'out' }],
  ['addLiquidityETH', { kind: 'liquidity_add', direction: 'out' }],
  ['removeLiquidity', { kind: 'liquidity_remove', direction: 'in' }],
  ['removeLiquidityETH', { kind: 'liquidity_remove', direction: 'in' }],
]);
