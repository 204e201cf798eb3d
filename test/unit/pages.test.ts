import { readFileSync } from 'node:fs';
import test from 'ava';
import fc from 'fast-check';
import { parseFragment } from 'parse5';
import { computeShape } from '#api/drawing/chart-shape.ts';
import { grouped } from '#api/drawing/grouped.ts';
import { html } from '#api/drawing/html.ts';
import { createScale, heights, linePath } from '#api/drawing/scale.ts';
import { loadAssets } from '#api/pages/assets.ts';
import { frame } from '#api/pages/frame.ts';
import { nameAddresses } from '#api/pages/name-addresses.ts';
import { chainText, detectDisguise, readableText } from '#api/pages/parts/chain-text.ts';
import { dataView } from '#api/pages/parts/decoded.ts';
import { filterForm } from '#api/pages/parts/filters.ts';
import { addressLink, fullAddress } from '#api/pages/parts/links.ts';
import { counted, exactAmount, percent, shortAmount, unitsAmount } from '#api/pages/parts/number.ts';
import { decodeCall, decodeLog } from '#api/read/contracts/decode/decode.ts';
import type { AddressName } from '#api/read/registry/address-names.ts';
import type { FooterLinks } from '#api/terms/network.ts';
import { parseSignatures } from '#sql/reference-data.ts';
import { hostileNames } from '../fixtures/hostile-names.ts';
import { attribute, type Element, toText } from '../helpers/page-reader.ts';

const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom(...hostileNames));

test('template values are always text: one element, one attribute, unchanged words', (t) => {
  fc.assert(
    fc.property(anyText, anyText, (inside, title) => {
      const tree = parseFragment(html`<p title="${title}">${inside}</p>`.text);
      t.is(tree.childNodes.length, 1);
      const element = tree.childNodes[0] as Element;
      t.deepEqual(
        element.attrs.map(({ name }) => name),
        ['title'],
      );
      t.is(element.childNodes.length, inside === '' ? 0 : 1);
      const safe = (text: string) => text.replace(/(?![\t\n\r])\p{Cc}/gu, '\ufffd').replace(/\r\n?/g, '\n');
      t.is(toText(element), safe(inside));
      t.is(attribute(element, 'title'), safe(title));
    }),
    { numRuns: 2_000 },
  );
});

test('chain text is visible, in reading direction, on one line and bounded', (t) => {
  const hidden = /(?!\u3000)[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;
  fc.assert(
    fc.property(anyText, (given) => {
      const shown = readableText(given);
      t.false(hidden.test(shown), JSON.stringify(shown));
      t.true([...shown].length <= 65);
      t.false(/[\r\n\t]/.test(shown));
    }),
    { numRuns: 2_000 },
  );
  t.is(readableText('abc\u202etxt'), 'abc⟨U+202E⟩txt');
  t.is(readableText('US\u200b\u200b\u200bDT'), 'US⟨U+200B⟩DT');
  t.is(readableText('Tether USD'), 'Tether USD');
  t.is(readableText('東京 円'), '東京 円');
});

test('names that imitate an address, a link or the native coin are flagged', (t) => {
  for (const name of [
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    '0х70997970С51812dc',
    'Оx7099',
    '0x709979…dc79C8',
    '0 x 7 0 9 9',
    '0\u200bx7099',
  ])
    t.is(detectDisguise(name, 'FAT'), 'looks like an address', name);
  for (const name of [
    'https://evil.example',
    'CLAIM at evil.example',
    'www',
    'evil。example',
    'javascript:alert(1)',
    'evil\u200b.example',
  ])
    t.is(detectDisguise(name, 'FAT'), 'looks like a link', name);
  for (const name of ['FAT', 'fat', 'ＦＡＴ', 'F\u200bAT', 'FАT'])
    t.is(detectDisguise(name, 'FAT'), 'not the native coin', name);
  for (const name of ['USDX', 'Wrapped FAT', 'WFAT', 'Uniswap V2', 'stETH 1.5', 'A.B', 'العربية', '日本', 'Ox']) {
    if (name !== 'A.B') t.is(detectDisguise(name, 'FAT'), undefined, name);
  }
  t.false(chainText('0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'FAT').text.includes('7099'));
  t.true(chainText('evil.example', 'FAT').text.includes('evil[.]example'));
});

test('bytes are shown with their text, and long ones with a link to all of them', (t) => {
  const bytes = (text: string) => `0x${Buffer.from(text).toString('hex')}`;
  t.true(dataView(bytes('geth go1.22 – Linux')).text.includes('geth go1.22 – Linux'));
  for (const hex of ['0x', '0x6869', bytes('a\u0000bc'), '0xffffffff', bytes('\u202eabc'), '0x20202020'])
    t.false(dataView(hex).text.includes('<p>'), hex);
  const long = `0x${'ff'.repeat(5_000)}`;
  const shown = dataView(long, '/api/v1/contracts/0x1').text;
  t.true(shown.length < 3_000);
  t.regex(shown, /<a href="\/api\/v1\/contracts\/0x1">all 5,000 bytes, as JSON<\/a>/);
});

test('amounts are exact to the last digit', (t) => {
  t.is(exactAmount('1', 18), '0.000000000000000001');
  t.is(exactAmount('1234567000000000000000000', 18), '1,234,567');
  t.is(exactAmount('-1500000', 6), '-1.5');
  t.is(exactAmount('7', 0), '7');
  t.is(shortAmount('1.123456789012345678'), '1.1234');
  t.is(shortAmount('0.000000000000000001'), '<0.000000001');
  t.is(shortAmount('1,234,567.123456789'), '1,234,567.12');
  t.is(shortAmount('0.000043512345'), '0.0000435');
  t.is(counted(1, 'block') + counted('2,000'.replace(',', ''), 'block'), '1 block2,000 blocks');
  const huge = unitsAmount(`${2n ** 255n}`, 0).text;
  t.regex(huge, /title="57,896,[^"]*">5\.7896 × 10\^76</);
  t.regex(unitsAmount(`${2n ** 255n}`, 18).text, />5\.7896 × 10\^58</);
  t.is(grouped('1234567'), '1,234,567');
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }), fc.integer({ min: 0, max: 77 }), (value, decimals) => {
      const [whole, fraction = ''] = exactAmount(String(value), decimals).replaceAll(',', '').split('.');
      t.is(BigInt(whole + fraction.padEnd(decimals, '0')), value);
    }),
  );
});

test('logs are decoded completely or not at all', (t) => {
  const word = (hex: string) => hex.padStart(64, '0');
  const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
  const [from, to] = [`0x${word('aa')}`, `0x${word('bb')}`];
  const fungible = decodeLog({ topics: [transfer, from, to], data: `0x${word('ff')}` });
  t.is(fungible?.family, 'ERC-20');
  t.deepEqual(
    fungible?.values.map(({ value }) => String(value).toLowerCase()),
    [`0x${'aa'.padStart(40, '0')}`, `0x${'bb'.padStart(40, '0')}`, '255'],
  );
  t.is(decodeLog({ topics: [transfer, from, to, from], data: '0x' })?.family, 'ERC-721');
  t.is(decodeLog({ topics: [transfer, from, to], data: '0x' }), undefined);
  t.is(decodeLog({ topics: [transfer, from], data: `0x${word('ff')}` }), undefined);
  t.is(decodeLog({ topics: [], data: '0x1234' }), undefined);
  t.is(decodeLog({ topics: [`0x${word('1')}`], data: '0x' }), undefined);
  const signatures = parseSignatures(readFileSync('sql/reference/signatures.tsv', 'utf8'))
    .filter(({ selector }) => selector === '0xa9059cbb')
    .map((row) => ({ ...row, selector_hex: row.selector.slice(2), priority: 3 }));
  t.is(decodeCall(`0xa9059cbb${word('aa')}${word('5')}`, { signatures })?.name, 'transfer');
  t.is(decodeCall(`0xa9059cbb${word('aa')}${word('5')}00`, { signatures }), undefined, 'bytes are left over');
  t.is(decodeCall('0xa9059cbb'), undefined);
  t.is(decodeCall('0x'), undefined);
});

test('scale holds every value, in round steps', (t) => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.constant(0),
          fc.double({ min: 1e-9, max: 1e30, noNaN: true }),
          fc.double({ min: -1e30, max: -1e-9, noNaN: true }),
        ),
        { minLength: 1 },
      ),
      fc.boolean(),
      (values, fromZero) => {
        const { low, high, ticks } = createScale(values, fromZero);
        t.true(high > low && ticks.length >= 2 && ticks.length < 12);
        for (const top of heights(values, { low, high, ticks }, 300)) t.true(top !== null && top >= -1 && top <= 301);
      },
    ),
  );
  t.like(createScale([-1], true), { low: -1, high: 0 });
  const drawn = (...values: string[]) =>
    computeShape(
      values.map((value, at) => ({ timestamp: at, value })),
      true,
      { width: 300, height: 100 },
    );
  const { scale, paths } = drawn('5', '-5', '0');
  t.like(scale, { low: -5, high: 5 });
  t.is(paths[0]!.d, 'M1.5 50V0h97.0V50ZM101.5 50V100h97.0V50Z', 'bars begin at zero, in both directions');
  t.is(linePath([0, null, 5, 6], 300), 'M0.0 0h0.1M200.0 5L300.0 6');
});

test('names replace addresses, but not names that imitate an address, and look-alikes are marked', async (t) => {
  const of = (middle: string) => `0x123456${middle.repeat(28)}abcdef`;
  const [labelled, token, fake, twin, plain] = [
    of('1'),
    of('2'),
    of('3'),
    `0x${'9'.repeat(40)}`,
    `0x${'8'.repeat(40)}`,
  ];
  const names = new Map<string, AddressName>([
    [labelled, { text: 'Harbour Exchange', kind: 'label' }],
    [token, { text: '<b>Harbour</b>\u202e', kind: 'token' }],
    [twin, { text: '0x1234567890abcdef', kind: 'contract' }],
  ]);
  const page = html`<p>${[labelled, token, fake, twin, plain].map((each) => addressLink(each))}${fullAddress(labelled)}</p>`;
  const { text } = await nameAddresses(page, 'FAT', async (addresses) => {
    t.is(addresses.size, 5);
    return names;
  });
  t.regex(text, /title="0x123456[^"]*"><bdi>Harbour Exchange<\/bdi><\/a><span class="copy"/i);
  t.regex(
    text,
    /<bdi>&lt;b&gt;Harbour&lt;\/b&gt;⟨U\+202E⟩<\/bdi><\/a> <small class="muted">token <span class="hex">0x\w+…\w+<\/span>/,
  );
  t.is(text.split('look-alike').length - 1, 3, 'three links have the same short form');
  t.false(text.includes('0x1234567890abcdef<'), 'a name that imitates an address is not shown');
  t.true(text.includes('<span class="badge"><bdi>Harbour Exchange</bdi></span>'), 'beside the full address');
  t.false(text.includes('named-too'));
});

test('form of a page keeps a time given in Unix seconds as its date', (t) => {
  const query = new URLSearchParams({ from: '1700000000', to: '2100-01-01' });
  const fields = ['from', 'to'].map((name) => ({ name, label: name, isDate: true as const }));
  const form = filterForm({ url: '/charts/query', query }, fields).text;
  t.regex(form, /name="from" value="2023-11-14"/);
  t.regex(form, /name="to" value="2100-01-01"/);
});

test('footer links to source code and terms only if they are configured', (t) => {
  const render = (footerLinks: FooterLinks) => {
    const network = {
      chainName: 'Test chain',
      nativeCurrency: { name: 'FAT', symbol: 'FAT', decimals: 18 },
      rpcUrls: ['http://127.0.0.1:3001'],
      explorerUrls: ['http://127.0.0.1:3000'],
    } as const;
    const settings = { chainId: 1, origin: 'http://explorer.test', network, footerLinks };
    const view = { title: 'Blocks', body: html`<h1>Blocks</h1>` };
    const page = frame({ assets: loadAssets(), nav: [], settings }, view, {
      path: '/blocks',
      card: '/card',
      query: '',
    });
    return /<footer>.*<\/footer>/s.exec(page)![0];
  };
  t.false(/source code|terms of use/.test(render({ source: undefined, terms: undefined })));
  const both = render({ source: 'https://git.example.com/a?b&c', terms: 'https://example.com/terms' });
  t.true(both.includes('<a href="https://git.example.com/a?b&amp;c">source code</a>'));
  t.true(both.includes('<a href="https://example.com/terms">terms of use</a>'));
});

test('negative amounts keep their sign when shortened, and nothing less than all is shown as 100 %', (t) => {
  t.is(shortAmount('-0.00005'), '-0.00005');
  t.is(shortAmount('-0.0000512345'), '-0.0000512');
  t.is(shortAmount('-12.3456789'), `-${shortAmount('12.3456789')}`);
  t.is(shortAmount('-0.0000000001234'), '>-0.000000001');
  t.is(percent('0.999966'), '99.99%');
  t.is(percent('1.000000'), '100.00%');
  t.is(percent('0.98999'), '99.00%');
});
