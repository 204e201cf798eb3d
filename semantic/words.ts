import { stemmer } from 'stemmer';

const stopWords = new Set(
  `a an the and or of to in on at by for from with without into onto out off over under as is are was were be been being am do does did done
  i me my mine we us our ours you your it its this that these those there here he she they them their his her what which who whom whose where when
  how why all any some every each both more most other such no nor not only own same so than too very can will just should could would may might
  must have has had having if then else but because while about between through during before after above below up down again further once
  show find list give tell get see look please want need know let search display thing things stuff something anything ones one happened transaction
  transactions knot knots event events record records history entry entries activity`
    .trim()
    .split(/\s+/),
);

/** Splits a text at case changes and punctuation into lower-case words of at least two characters. */
export function splitWords(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replace(/([A-Z])(?=[A-Z][a-z])/g, '$1 ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).filter((word) => word.length > 1);
}

export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

const stems = new Map<string, string>();

/** Irregular words first become their base form. */
export function stem(word: string): string {
  let known = stems.get(word);
  if (known === undefined) {
    if (stems.size > 50_000) stems.clear();
    known = stemmer(irregular.get(word) ?? word);
    stems.set(word, known);
  }
  return known;
}

const irregular: ReadonlyMap<string, string> = new Map(
  Object.entries({
    send: 'sent',
    pay: 'paid payment payments payer payers payout payouts payee',
    buy: 'bought buyer',
    sell: 'sold seller',
    spend: 'spent spending',
    lend: 'lent lender',
    loan: 'loaned',
    get: 'got gotten',
    give: 'gave given giving',
    lose: 'lost losing',
    withdraw: 'withdrew withdrawn withdrawal withdrawals',
    take: 'took taken taking',
    steal: 'stole stolen stealing theft thief thieves',
    swap: 'swapped swapping',
    wrap: 'wrapped wrapping wrapper',
    unwrap: 'unwrapped unwrapping',
    deploy: 'deployment deployments deployer',
    approve: 'approval approvals',
    earn: 'earnings earned earner',
    donate: 'donation donations donor',
    gambl: 'gamble gambled gambling gambler',
    reward: 'rewards rewarding',
    sale: 'sales',
    tax: 'taxes taxed taxation',
    person: 'people persons',
    lawyer: 'lawyers',
    validate: 'validator validators validation',
    stake: 'staking staked staker',
    bet: 'bets betting',
    bid: 'bids bidding bidder bade',
    freeze: 'frozen froze',
    break: 'broken broke',
    govern: 'governance governor governed',
    register: 'registration registrations registered registry registrar',
    fail: 'failure failures failed',
    resale: 'resales resell resold',
  }).flatMap(([base, forms]) => forms.split(' ').map((form) => [form, base] as const)),
);
