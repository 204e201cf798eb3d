export const tokenClassPhrases: Readonly<Record<string, string>> = {
  'native coin': 'native coin',
  'wrapped native': 'wrapped coin',
  stablecoin: 'stablecoin, dollars, dollar pegged, digital cash, fiat',
  'meme token': 'meme token, speculative, joke coin, shitcoin, gamble, degen, hype, risky bet',
  'governance token': 'governance token, voting power',
  'unverified token':
    'unverified token, spam, unknown, unsolicited, junk, fake, scam, suspicious, bait, worthless, unwanted',
  'nft collection': 'nft, collectible, digital art',
  'lp token': 'liquidity provider token, pool share',
  'liquid staking token': 'staked coin, liquid staking',
  'utility token': 'utility token',
  'game token': 'game currency, in game money, play',
  'security token': 'security, share, equity, stock',
  'commodity token': 'commodity, gold, metal',
  'multi token': 'multi token, edition, item, semi fungible',
};

export const tokenPhrases: Readonly<Record<string, string>> = {
  USDC: 'dollar',
  USDT: 'dollar',
  DAI: 'dollar',
  BUSD: 'dollar',
  FRAX: 'dollar',
  EURC: 'euro',
  EURS: 'euro',
  WBTC: 'bitcoin',
  WETH: 'ether, ethereum',
  PAXG: 'gold',
  XAUT: 'gold',
};

export const tokenNamePhrases: readonly (readonly [RegExp, string])[] = [
  [/\bticket|\bstubs?\b|\bpass(es)?\b|\badmission/i, 'event admission, show, entry'],
  [/\bconcert|\bfestival|\bgig\b|\bmusic|\bsong|\balbum/i, 'music, live show, band, gig'],
  [/\bart\b|\bblocks?\b|\bpaint|\bgallery|\bcanvas|\bsketch/i, 'art, artwork, artist, painting, generative'],
  [
    /\bpunks?\b|\bapes?\b|\bavatar|\bpfp\b|\bkitt(y|ies)\b|\bcats?\b|\bdogs?\b/i,
    'profile picture, avatar, character, pixel art',
  ],
  [/\bname service|\bdomains?\b/i, 'domain name, web address'],
  [/\bland\b|\bparcel|\bestate|\bworld\b/i, 'virtual land, plot, property'],
  [/\bbadge|\bpoap\b|\bcertificate|\bdiploma/i, 'badge, proof of attendance, credential'],
  [/\bcard|\bhero|\bsword|\bitem|\bweapon|\bskin/i, 'game item, trading card'],
  [
    /claim|prize|reward|visit|free|bonus|gift|\.(com|org|net|io|xyz|example)\b/i,
    'lure, win, lottery, spam website link',
  ],
  [/\bdoge|\binu\b|\bpepe\b|\bmoon|\belon\b|\bfloki\b/i, 'meme, joke'],
];
