export interface Situation {
  readonly kind?: readonly string[];
  readonly direction?: 'in' | 'out' | 'self';
  readonly status?: 'ok' | 'failed';
  readonly category?: readonly string[];
  readonly method?: readonly string[];
  readonly tokenClass?: readonly string[];
  readonly secondTokenClass?: readonly string[];
  readonly text: string;
}

const transfers = ['native_transfer', 'token_transfer'];
const marketplaces = ['nft marketplace', 'marketplace', 'auction'];
const coins = ['native coin', 'wrapped native'];

export const situationPhrases: readonly Situation[] = [
  {
    kind: ['nft_transfer'],
    direction: 'in',
    category: marketplaces,
    text: 'nft purchase, bought, purchased a collectible, paid for artwork, shopping, won, new piece in my collection',
  },
  {
    kind: ['nft_transfer'],
    direction: 'out',
    category: marketplaces,
    text: 'nft sale, sold, artwork sold, sale of a collectible, found a buyer',
  },
  {
    kind: transfers,
    direction: 'in',
    category: marketplaces,
    text: 'sale proceeds, money from a sale, sold, earned by selling, revenue from sold items',
  },
  { kind: ['nft_transfer'], direction: 'out', category: ['contact'], text: 'gift, present, gave to a friend' },
  { kind: ['nft_transfer'], direction: 'in', category: ['contact'], text: 'gift, present, received from a friend' },
  { kind: ['nft_transfer'], direction: 'out', category: ['', 'contact'], text: 'gave away, gift, sent to somebody' },
  { kind: ['nft_transfer'], direction: 'in', category: ['', 'contact'], text: 'gift, present, was given' },
  {
    kind: ['nft_transfer'],
    direction: 'out',
    category: ['own wallet', 'custody'],
    text: 'moved collectibles to safety, safekeeping of art, put away',
  },
  { kind: ['nft_mint'], category: ['nft mint'], text: 'nft purchase, drop, bought from the artist' },
  {
    kind: ['nft_mint'],
    category: ['naming'],
    text: 'domain name registration, registered a name, new web address, claimed a username, identity',
  },
  { category: ['naming'], method: ['renew'], text: 'domain name renewal, name extended, kept the web address' },
  { kind: ['nft_approval'], category: marketplaces, text: 'prepared to sell, allowed the marketplace to move my art' },
  {
    kind: ['approval', 'nft_approval', 'token_transfer', 'native_transfer', 'nft_transfer'],
    category: ['scam', 'phishing', 'hack'],
    text: 'tricked, victim, compromised, dangerous, lost money',
  },
  {
    kind: ['token_transfer', 'nft_transfer'],
    direction: 'in',
    tokenClass: ['unverified token'],
    text: 'unsolicited airdrop, dust, did not ask for it',
  },
  { kind: transfers, direction: 'in', category: [''], text: 'unknown sender, stranger, customer deposit, from a user' },
  {
    kind: transfers,
    direction: 'out',
    category: [''],
    text: 'unknown recipient, stranger, customer withdrawal, payout to a user',
  },
  {
    kind: transfers,
    direction: 'in',
    category: ['organization', 'employer', 'payroll'],
    text: 'salary, wages, income, revenue',
  },
  {
    kind: transfers,
    direction: 'in',
    category: ['dao', 'treasury'],
    text: 'grant received, contributor pay, funding, income, bounty',
  },
  { kind: transfers, direction: 'out', category: ['dao', 'treasury'], text: 'contributed to the treasury' },
  {
    kind: transfers,
    direction: 'out',
    category: ['grantee'],
    text: 'grant paid, funding handed to builders, money for contributors',
  },
  { kind: transfers, direction: 'in', category: ['faucet'], text: 'free coins, starter money' },
  {
    kind: ['token_transfer', 'nft_transfer'],
    direction: 'in',
    category: ['airdrop'],
    text: 'airdrop claim, bonus for early users',
  },
  {
    category: ['lending'],
    method: ['supply', 'deposit', 'mint'],
    text: 'collateral, supplied, lending out, earning interest',
  },
  { category: ['lending'], method: ['borrow'], text: 'loan taken, money lent to me, debt' },
  { category: ['lending'], method: ['repay', 'repayborrow'], text: 'loan repayment, paying off debt' },
  { category: ['lending'], method: ['withdraw', 'redeem'], text: 'took collateral back' },
  {
    kind: ['swap'],
    tokenClass: ['stablecoin'],
    secondTokenClass: coins,
    text: 'bought coins with stablecoin, spent dollars to buy, invested, accumulated',
  },
  {
    kind: ['swap'],
    tokenClass: coins,
    secondTokenClass: ['stablecoin'],
    text: 'sold coins for stablecoin, took profit, cashed into dollars',
  },
  {
    kind: ['swap'],
    secondTokenClass: ['meme token'],
    text: 'bought meme token, gambled, speculative purchase, aped in',
  },
  { kind: ['swap'], tokenClass: ['meme token'], text: 'sold meme token, got out of a gamble' },
  { kind: ['swap'], tokenClass: ['governance token'], text: 'sold governance token, diversified the treasury' },
  { kind: ['swap'], secondTokenClass: ['governance token'], text: 'bought governance token' },
  { kind: ['swap'], status: 'failed', text: 'failed trade' },
  { kind: transfers, direction: 'out', status: 'failed', text: 'payment failed, bounced payment, declined' },
  { kind: ['contract_creation'], status: 'failed', text: 'failed deployment' },
  { kind: ['contract_call'], status: 'failed', text: 'reverted call' },
  { category: ['dao', 'governance'], method: ['castvote', 'castvotewithreason', 'vote'], text: 'governance vote' },
  { category: ['dao', 'governance'], method: ['propose'], text: 'governance proposal' },
  { category: ['dao', 'governance'], method: ['execute', 'queue'], text: 'governance execution' },
  { kind: ['token_mint'], category: ['mint', ''], text: 'created supply' },
  { category: ['own contract'], method: ['withdraw'], text: 'took revenue out of my contract' },
];
