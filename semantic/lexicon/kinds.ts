/** Phrases that describe an event, by direction. */
export interface Phrases {
  readonly any?: string;
  readonly in?: string;
  readonly out?: string;
  readonly self?: string;
}

export const kindPhrases: Readonly<Record<string, Phrases>> = {
  native_transfer: {
    any: 'coin transfer',
    in: 'received coins, incoming payment, deposit, money in, credited, got, someone sent me funds',
    out: 'sent coins, outgoing payment, money out, paid, spent, transferred away, debit',
    self: 'moved coins to myself',
  },
  token_transfer: {
    any: 'token transfer',
    in: 'received tokens, incoming payment, deposit, money in, credited, got, someone sent me funds',
    out: 'sent tokens, outgoing payment, money out, paid, spent, transferred away, debit',
    self: 'moved tokens to myself',
  },
  swap: {
    any: 'swap, trade, exchanged one token for another, converted, conversion, bought and sold, dex trade, currency exchange',
  },
  wrap: { any: 'wrap, wrapping, wrapped the native coin into its token form' },
  unwrap: { any: 'unwrap, unwrapping, turned the wrapped token back into the native coin, redeemed' },
  approval: {
    any: 'token approval, allowance, spending permission, authorized a contract to spend my tokens, granted access, consent',
  },
  nft_approval: {
    any: 'nft approval, permission for a contract to move my collectibles, operator rights, authorized, allowance, listing consent, granted access',
  },
  liquidity_add: {
    any: 'added liquidity, deposited a pair of tokens into a pool, became a liquidity provider, market making, yield farming, lp position opened',
  },
  liquidity_remove: {
    any: 'removed liquidity, withdrew a pair of tokens from a pool, stopped providing, lp position closed, pulled out of the pool',
  },
  stake: {
    any: 'stake, staking, locked coins with a validator, delegated for yield, bonded, put coins to work for interest',
  },
  unstake: { any: 'unstake, unstaking, unlocked coins from a validator, unbonded, took staked coins back out' },
  reward_claim: {
    any: 'reward claim, claimed staking rewards, earned interest, yield, passive income, earnings, payout, dividends',
  },
  bridge_in: {
    any: 'bridge, bridged in, cross chain arrival, coins came over from another network, migrated, migration, moved between chains',
  },
  bridge_out: {
    any: 'bridge, bridged out, cross chain departure, coins left for another network, migration, moved between chains',
  },
  nft_mint: {
    any: 'nft mint, minted a new collectible, newly created token, first edition, primary sale',
  },
  nft_burn: { any: 'nft burn, burned a collectible, destroyed, permanently removed, thrown away, deleted forever' },
  nft_transfer: {
    any: 'nft, collectible, non fungible token',
    in: 'received a collectible, acquired, got, arrived',
    out: 'sent a collectible, handed over, gave away, left my wallet',
    self: 'moved a collectible to myself',
  },
  nft_sale: { any: 'nft sale, sold a collectible, artwork sold, marketplace order filled' },
  nft_purchase: { any: 'nft purchase, bought a collectible, artwork bought, marketplace order filled' },
  token_mint: { any: 'token mint, minted, new tokens issued, newly created supply, issuance, printed' },
  token_burn: { any: 'token burn, burned, destroyed supply, permanently removed from circulation, got rid of' },
  contract_creation: {
    any: 'contract deployment, deployed a smart contract, created, published code, launched a program, released on chain, bytecode, gas spent',
  },
  contract_call: { any: 'contract call, interaction with a smart contract, executed a function' },
  borrow: { any: 'borrowed, took out a loan, debt, credit, leverage' },
  repay: { any: 'repaid a loan, paid back debt, settled credit' },
  lend: { any: 'lent, supplied to a money market, deposited collateral, earning interest' },
  liquidation: { any: 'liquidation, liquidated, collateral seized, forced sale, margin call, underwater position' },
  airdrop: { any: 'airdrop, free tokens handed out, giveaway, distribution' },
  vote: { any: 'vote, voted, ballot, governance decision, election' },
  internal_transfer: { any: 'internal transfer, moved by a contract' },
  block_reward: { any: 'block reward, mining reward, validator reward, miner income' },
  fee: { any: 'transaction fee, gas cost, network charge' },
};

export const statusPhrases: Readonly<Record<string, string>> = {
  ok: '',
  failed: 'failed, failure, unsuccessful, did not go through, error, rejected, reverted, broken, mistake, went wrong',
};

export const failurePhrases: readonly (readonly [RegExp, string])[] = [
  [/out of gas/i, 'gas limit too low, not enough gas, ran out of gas'],
  [
    /exceeds balance|insufficient (balance|funds)/i,
    'not enough money, insufficient funds, overdrawn, bounced, declined, could not afford',
  ],
  [/allowance/i, 'allowance too low, missing approval'],
  [/insufficient_output|slippage|too little received|price/i, 'slippage, price moved too much, bad price'],
  [/expired|deadline/i, 'too late, deadline passed, timed out, stale'],
  [/filled|already|taken|sold/i, 'somebody else was faster, already taken, sniped, outbid'],
  [
    /owner|unauthori[sz]ed|access|forbidden|denied|role/i,
    'no permission, access denied, unauthorized, forbidden, not allowed',
  ],
  [/paused/i, 'paused, halted, suspended, frozen'],
  [/revert/i, 'execution reverted, reverted'],
  [/constructor/i, 'deployment failed, constructor reverted'],
  [/quorum/i, 'not enough votes, quorum missed, proposal failed, low turnout'],
  [/nonce|replaced/i, 'replaced, dropped, cancelled, sped up, nonce conflict, stuck transaction'],
];
