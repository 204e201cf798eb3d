import { gzipSync } from 'node:zlib';
import { sends } from './feed-server.ts';

/** Maximum size of a feed after decompression, bytes. */
export const maxFeedBytes = 65_536;

export const bids = [
  ['1.99', '10'],
  ['2.00', '5.5'],
];
export const asks = [
  ['2.02', '3'],
  ['2.01', '7'],
];
export const sound = { lastUpdateId: 1, bids, asks };

/** URLs of feeds that are rejected before connecting. */
export const refusedUrls: [string, string][] = [
  ['no url', 'bad_url'],
  ['https://', 'bad_url'],
  ['https://feeds.example.com:99999/', 'bad_url'],
  ['http://listed.example.com/', 'not_https'],
  ['ftp://listed.example.com/', 'not_https'],
  ['file:///etc/passwd', 'not_https'],
  ['https://user:word@listed.example.com/', 'credentials_in_url'],
  ...[
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '１２７.0.0.1',
    '0',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.3.4',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:0a00:0001]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[ff02::1]',
    '[2001::1]',
    '[2001:db8::1]',
    '[100::1]',
  ].map((host): [string, string] => [`https://${host}/depth`, 'private_address']),
  ['https://8.8.8.8/depth', 'host_not_allowlisted'],
  ['https://localhost/depth', 'host_not_allowlisted'],
  ['https://other.example.com/depth', 'host_not_allowlisted'],
  ['https://listed.example.com:8443/depth', 'host_not_allowlisted'],
  ['https://listed.example.com.evil.example/depth', 'host_not_allowlisted'],
  ['https://listed.example.com./depth', 'host_not_allowlisted'],
  ['https://listed.example.com@evil.example/depth', 'credentials_in_url'],
];

type Answer = ReturnType<typeof sends>;
export const endless: Answer = (_, response) => {
  const chunk = Buffer.alloc(65_536, 0x20);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};
export const dripping: Answer = (_, response) => {
  const timer = setInterval(() => response.write(' '), 50);
  response.once('close', () => clearInterval(timer));
};
const withBids = (levels: unknown) => sends({ ...sound, bids: levels });

export const refusedReplies: Record<string, [Answer, string]> = {
  'redirect to another host': [sends('', 302, { location: 'https://evil.example/' }), 'probe_redirect'],
  'redirect to a private address': [sends('', 307, { location: 'https://169.254.169.254/' }), 'probe_redirect'],
  'redirect on the host': [sends('', 301, { location: '/depth' }), 'probe_redirect'],
  'not found': [sends(sound, 404), 'probe_bad_status'],
  'server fault': [sends(sound, 500), 'probe_bad_status'],
  'no content': [sends('', 204), 'probe_bad_status'],
  'endless body': [endless, 'probe_too_large'],
  'too large by its own word': [sends(sound, 200, { 'content-length': '99999999' }), 'probe_too_large'],
  'a little too large': [sends(' '.repeat(maxFeedBytes + 1)), 'probe_too_large'],
  'slow body': [dripping, 'probe_timeout'],
  'no reply': [() => undefined, 'probe_timeout'],
  'connection cut': [(request) => request.socket.destroy(), 'probe_unreachable'],
  'empty reply': [sends(''), 'probe_bad_schema'],
  'a page': [sends('<html>rates</html>'), 'probe_bad_schema'],
  'cut JSON': [sends('{"lastUpdateId":1,"bids":[["1"'), 'probe_bad_schema'],
  'compressed unasked': [
    (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify(sound))),
    'probe_bad_schema',
  ],
  null: [sends('null'), 'probe_bad_schema'],
  list: [sends([]), 'probe_bad_schema'],
  'no sides': [sends({ lastUpdateId: 1 }), 'probe_bad_schema'],
  'sides are text': [withBids('1,2'), 'probe_bad_schema'],
  'levels are objects': [withBids([{ price: '1', size: '2' }]), 'probe_bad_schema'],
  'level without a size': [withBids([['1']]), 'probe_bad_schema'],
  'deeply nested': [sends(`${'['.repeat(30_000)}${']'.repeat(30_000)}`), 'probe_bad_schema'],
  'Kraken says an error': [sends({ error: ['EQuery'], result: {} }), 'probe_bad_schema'],
  'Kraken says two pairs': [
    sends({ error: [], result: { FATUSDT: { bids, asks }, BTCUSDT: { bids, asks } } }),
    'probe_bad_schema',
  ],
  'no bids': [withBids([]), 'probe_empty_book'],
  'no asks': [sends({ ...sound, asks: [] }), 'probe_empty_book'],
  'sizes of 0': [withBids([['2', '0']]), 'probe_empty_book'],
  crossed: [withBids([['2.5', '1']]), 'probe_crossed_book'],
  locked: [withBids([['2.01', '1']]), 'probe_crossed_book'],
  'price in powers of ten': [withBids([['1e3', '1']]), 'probe_bad_number'],
  'huge price': [withBids([[`1${'0'.repeat(60)}`, '1']]), 'probe_bad_number'],
  'price longer than any': [withBids([['1'.repeat(65), '1']]), 'probe_bad_schema'],
  'huge number': [sends('{"lastUpdateId":1,"bids":[[1e308,1]],"asks":[["2.1","1"]]}'), 'probe_bad_number'],
  'infinite number': [sends('{"lastUpdateId":1,"bids":[[1e999,1]],"asks":[["2.1","1"]]}'), 'probe_bad_schema'],
  'negative price': [withBids([['-1', '1']]), 'probe_bad_number'],
  'price 0': [withBids([['0', '1']]), 'probe_bad_number'],
  'no number': [withBids([['NaN', '1']]), 'probe_bad_number'],
  'a contract': [sends({ ...sound, contractAddress: `0x${'12'.repeat(20)}` }), 'namesake_token'],
  'a contract further in': [sends({ ...sound, asset: { contract: 'So111' } }), 'namesake_token'],
  'another chain': [sends({ ...sound, chainId: 1 }), 'namesake_token'],
  'another symbol': [sends({ ...sound, symbol: 'FATCATUSDT' }), 'namesake_token'],
  'another pair at Kraken': [sends({ error: [], result: { XBTUSD: { bids, asks } } }), 'namesake_token'],
  'far above the canonical price': [sends({ ...sound, bids: [['40', '1']], asks: [['41', '1']] }), 'namesake_token'],
  'far below the canonical price': [
    sends({ ...sound, bids: [['0.0001', '1']], asks: [['0.0002', '1']] }),
    'namesake_token',
  ],
};
