import type { Phrases } from './kinds.ts';

export const labelPhrases: readonly (readonly [RegExp, Phrases])[] = [
  [
    /\b(payroll|salar(y|ies)|wages)\b/i,
    {
      any: 'payroll, salary, wages',
      in: 'paycheck, earned from work, income, my employer, job, monthly pay',
      out: 'paid employees, staff costs',
    },
  ],
  [
    /\b(apartments?|propert(y|ies)|realty|landlord|housing|rent(al)?s?|leasing|residence|condos?|homes)\b/i,
    {
      any: 'rent, housing, landlord, apartment, flat, home, accommodation, lease, tenancy, roof over my head',
    },
  ],
  [
    /\b(hotel|hostel|inn|airlines?|airways|travel|trips?|flights?|cruise|resort)\b/i,
    {
      any: 'travel, vacation, holiday, trip, journey, accommodation, flight',
    },
  ],
  [
    /\b(market|grocer(y|ies)?|supermarket|foods?|bakery|butcher|deli|farm|organic|greens?)\b(?!place)(?!.*\bmoney\b)/i,
    {
      any: 'groceries, food, supermarket, household shopping, vegetables, eat, kitchen, meals',
    },
  ],
  [
    /\b(coffee|cafe|caf\u00e9|espresso|tea|roasters?)\b/i,
    {
      any: 'coffee, cafe, drinks, espresso, latte, caffeine, breakfast, snack, food',
    },
  ],
  [
    /\b(restaurant|diner|pizza|sushi|grill|bistro|burger|kitchen|eatery|tavern|pub|bar|brewery)\b/i,
    {
      any: 'restaurant, dinner, lunch, eating out, meal, food, drinks',
    },
  ],
  [
    /\b(video|stream(ing|ly|er)?|movies?|films?|tv|television|cinema|flix|media|shows?)\b/i,
    {
      any: 'streaming, subscription, movies, television, series, entertainment, watch, films, membership',
    },
  ],
  [/\b(music|radio|audio|podcasts?|songs?)\b/i, { any: 'music, listening, subscription, entertainment, songs' }],
  [
    /\b(mobile|telecom|phone|cellular|wireless|broadband|internet|fiber|isp)\b/i,
    {
      any: 'phone bill, mobile, cell phone, telephone, telecom, internet, utilities, data plan, carrier',
    },
  ],
  [
    /\b(electric(ity)?|power|energy|gas company|water|utilit(y|ies)|heating|sewage|waste)\b/i,
    {
      any: 'utilities, electricity, power, water, heating, household bill',
    },
  ],
  [
    /\b(hosting|servers?|cloud|datacent(er|re)|vps|rack\w*|compute|infrastructure|cdn|colo)\b/i,
    {
      any: 'hosting, servers, cloud, computing, infrastructure, website, data center, it costs, machines',
    },
  ],
  [
    /\b(software|saas|sdk|labs?|tech|systems|studio|digital|dev(s|elopers?)?)\b/i,
    {
      any: 'software, technology, development, engineering, programmers',
    },
  ],
  [/\b(docs|documentation|writers?|content)\b/i, { any: 'documentation, writing, technical writers, manuals' }],
  [
    /\b(audit(s|ors?|ing)?|security|pentest)\b/i,
    {
      any: 'security review, audit, code review, vulnerability check, safety assessment, penetration test, inspection',
    },
  ],
  [/\b(accountants?|accounting|bookkeep\w*|cpa)\b/i, { any: 'accounting, bookkeeping, accountant, tax return' }],
  [
    /\b(llp|law|legal|attorneys?|lawyers?|solicitors?|counsel|notary)\b/i,
    {
      any: 'lawyer, law firm, legal fees, attorney, counsel, legal advice, solicitor, court',
    },
  ],
  [/\b(consult(ing|ants?|ancy)?|advisors?|advisory|partners)\b/i, { any: 'consulting, advisor, professional advice' }],
  [
    /\b(revenue|tax(es|ation)?|irs|hmrc|customs|treasury department|finance ministry)\b/i,
    {
      any: 'tax, taxes, tax office, state, fiscal, government dues',
    },
  ],
  [
    /\b(city|county|municipal|state of|ministry|council|federal|court)\b/i,
    {
      any: 'government, city, municipality, public authority, town hall',
    },
  ],
  [
    /\b(relief|foundation|charity|charities|aid|red cross|unicef|rescue|shelter|food bank|humanitarian|hope)\b/i,
    {
      any: 'charity, donation, giving, helping people, nonprofit, good cause, philanthropy',
    },
  ],
  [
    /\b(hospital|clinic|medical|pharmacy|dental|dentist|doctor|health|wellness)\b/i,
    {
      any: 'medical, doctor, health, medicine, treatment, healthcare',
    },
  ],
  [/\b(gym|fitness|yoga|sports?|athletic)\b/i, { any: 'gym, fitness, workout, sports membership, exercise' }],
  [
    /\b(school|university|college|academy|tuition|courses?|education|kindergarten|daycare)\b/i,
    {
      any: 'education, school, tuition, studies, learning, course, students, children',
    },
  ],
  [
    /\b(insurance|insurer|mutual|cover|assurance|nexus)\b/i,
    { any: 'insurance, premium, policy, cover, protection, claim' },
  ],
  [/\b(bank|credit union|savings|mortgage)\b/i, { any: 'bank, account, savings, mortgage, loan' }],
  [
    /\b(taxi|cab|ride|uber|transit|metro|railway|trains?|bus|parking|fuel|petrol|gas station|auto|motors?|cars?)\b/i,
    {
      any: 'transport, commute, car, ride, driving, travel, fuel',
    },
  ],
  [/\b(books?|library|press|news|magazine|times)\b/i, { any: 'books, reading, news, magazine, publication' }],
  [/\b(games?|gaming|arcade|guild|quest)\b/i, { any: 'game, gaming, play, entertainment' }],
  [
    /\b(casino|bets?|betting|lottery|lotto|poker|dice|jackpot|wager)\b/i,
    {
      any: 'gambling, betting, casino, wager, lottery, luck',
    },
  ],
  [/\b(fashion|clothing|apparel|shoes|boutique|wear)\b/i, { any: 'clothes, clothing, fashion, shopping, shoes' }],
  [/\b(electronics|computers?|hardware|gadgets?)\b/i, { any: 'electronics, computer, devices, equipment' }],
  [/\b(furniture|garden|hardware store|decor)\b/i, { any: 'furniture, household, garden, home improvement' }],
  [/\b(pets?|vet|veterinary|animal)\b/i, { any: 'pet, animal, veterinarian' }],
  [/\b(mom|mum|mother|mama|mommy|mummy)\b/i, { any: 'mother, mom, family, parent, relative' }],
  [/\b(dad|father|papa|daddy)\b/i, { any: 'father, dad, family, parent, relative' }],
  [
    /\b(brother|sister|sibling|uncle|aunt|cousin|grandm\w+|grandp\w+|granny|son|daughter|wife|husband|spouse|partner)\b/i,
    {
      any: 'family, relative, loved one',
    },
  ],
  [
    /\b(room-?mate|flat-?mate|housemate)\b/i,
    {
      any: 'roommate, flatmate, lives with me, housemate',
      in: 'share of the rent, split household costs, paid me back',
    },
  ],
  [/\b(friend|buddy|pal)\b/i, { any: 'friend, buddy, pal' }],
  [
    /\b(cold (storage|wallet)|vault|ledger|trezor|safe)\b/i,
    {
      any: 'cold storage, cold wallet, offline, hardware wallet, vault, secure safekeeping, reserves',
      in: 'taken out of reserves, refill of the hot wallet',
      out: 'long term savings, put away safely, secured offline',
    },
  ],
  [/\bhot wallet\b/i, { any: 'hot wallet' }],
  [/\bdeposit address\b/i, { out: 'paid in, deposit' }],
  [
    /\b(multi-?sig|gnosis|council wallet)\b/i,
    { any: 'multisig, shared wallet, co-signers, several signatures, joint account' },
  ],
  [
    /\b(sweeper|sweep)\b/i,
    { any: 'gathering customer deposits, consolidation, collecting small balances, housekeeping' },
  ],
  [/\bfaucet\b/i, { any: 'faucet, free test coins, testnet' }],
  [/\b(oracle|price ?feed|feed)\b/i, { any: 'oracle, price feed, market data, quote' }],
  [/\b(validators?|staking|pool of validators|node)\b/i, { any: 'validator, staking, node' }],
  [/\b(royalt(y|ies)|splitter)\b/i, { any: 'royalties, creator share, artist income from resale' }],
  [/\b(airdrop|distributor)\b/i, { any: 'airdrop, free tokens, giveaway' }],
  [/\bvesting\b/i, { any: 'vesting, gradual unlock, token allocation, locked tokens released' }],
  [/\b(treasury|dao|governor)\b/i, { any: 'dao, community funds, governance' }],
  [/\b(escrow)\b/i, { any: 'escrow, held for both sides' }],
  [/\b(registr(y|ar))\b/i, { any: 'registry, record' }],
  [/\bprovenance|notary|timestamp/i, { any: 'provenance, origin, proof, authenticity, notarized document' }],
  [/\b(bridge|portal|gateway|wormhole)\b/i, { any: 'bridge, other chain, cross chain' }],
  [/\b(router|aggregator)\b/i, { any: 'router' }],
  [/\b(proxy)\b/i, { any: 'proxy' }],
  [
    /\b(phish\w*|scam\w*|fake_?\w*|exploit\w*|hack\w*|drain\w*|ponzi|rug)\b/i,
    {
      any: 'phishing, scam, fraud, thief, criminal, theft, stolen',
    },
  ],
  [/\b(mixer|tornado|tumbler|privacy)\b/i, { any: 'mixer, privacy, anonymous' }],
  [/\b(bazaar|market ?place|opensea|blur|rarible)\b/i, { any: 'marketplace' }],
  [/\b(min(ing|ers?) ?pool|miners?)\b/i, { any: 'mining, miner income, hash power' }],
  [/\b(grants?|scholarship|fellowship)\b/i, { any: 'grant, funding, scholarship' }],
];
