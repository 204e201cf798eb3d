/** Identity settings and rate limits of the API in tests. No request is rejected. */
export const identitySettings = {
  origin: 'http://explorer.test',
  isOriginKnown: true,
  footerLinks: { source: undefined, terms: undefined },
  openId: undefined,
  operatorWallets: '',
  rates: {
    mode: 'observe' as const,
    perMinute: { anonymous: 6_000, keyed: 60_000, operator: 600_000 },
    perNetwork: 600_000,
    perWatcher: 60_000,
    watchers: 'loopback' as const,
    storedBytesPerDay: { anonymous: 1e9, keyed: 1e9, operator: 1e9 },
    proxyHops: 0,
  },
};
