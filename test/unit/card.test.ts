import test from 'ava';
import { XMLValidator } from 'fast-xml-parser';
import { chartSvg } from '#api/drawing/chart-picture.ts';
import { html } from '#api/drawing/html.ts';
import { renderPng } from '#api/drawing/png.ts';
import { drawCard } from '#api/pages/card/draw-card.ts';
import { readCard } from '#api/pages/card/read-card.ts';
import { facts } from '#api/pages/parts/facts.ts';
import { fullAddress } from '#api/pages/parts/links.ts';
import { when } from '#api/pages/parts/time.ts';
import { type Detail, overview } from '#api/pages/transaction/overview.ts';
import { pendingView } from '#api/pages/transaction/pending.ts';

const address = '0x90f79bf6eb2c4f870365e785982e1f101e93b906';
const hostile = '</text><image href="file:///etc/passwd"/>\u0000\u202e\ud800&lt;';

const view = {
  title: 'Title',
  body: html`<div class="title"><h1>Thing ${hostile}</h1><p>of <b>one</b> chain</p></div>${facts([
    ['From', fullAddress(address)],
    ['Time', when(1_700_000_000, 1_700_000_100)],
    ['Name', hostile],
  ])}`,
};

test('preview picture shows heading, facts and times of a page as plain text', (t) => {
  const card = readCard(view);
  t.true(card.title.startsWith('Thing </text><image href="file:///etc/passwd"/>'));
  t.is(card.subtitle, 'of one chain');
  t.deepEqual(card.facts.slice(0, 2), [
    { name: 'From', value: '0x90F79b…93b906' },
    { name: 'Time', value: '2023-11-14 22:13 UTC' },
  ]);
  t.is(card.chart, undefined);
});

const request = { params: {}, query: new URLSearchParams(), url: '/', now: 1_700_000_100, coin: 'FAT' };
const hash = `0x${'ab'.repeat(32)}`;

test('preview picture of a transaction begins with its state', async (t) => {
  const tx = {
    ...{ status: 1, finality: 'final', confirmed: true, confirmations: 30, requiredConfirmations: 20, value: '0' },
    ...{
      from: address,
      to: address,
      blockNumber: 1,
      txIndex: 0,
      timestamp: 1_700_000_000,
      fee: '1',
      nonce: 1,
      type: 2,
    },
    ...{
      tokenTransfers: [],
      logs: [],
      logCount: 0,
      gasUsed: 1,
      gasLimit: 1,
      gasPrice: '1',
      receipt: { blobGasUsed: null, blobGasPrice: null },
      methodId: '0x',
    },
    ...{ maxFeePerGas: null, maxPriorityFeePerGas: null, blobCount: 0, authorizationCount: 0, blockHash: hash },
    ...{ accessList: [], blobVersionedHashes: [], authorizationList: [], input: '0x' },
  };
  const shown = { names: new Map(), decoded: undefined, block: undefined, failure: undefined, worth: undefined };
  const mined = (change: object) => {
    const body = overview(request, { ...tx, ...change } as unknown as Detail, shown);
    return readCard({ title: '', body }).facts[0];
  };
  t.deepEqual(mined({}), { name: 'State', value: 'Success, Final' });
  t.is(mined({ finality: 'unsettled', confirmed: false })?.value, 'Success, Not final yet');
  t.is(mined({ status: 0 })?.value, 'Failed, Final');
  t.regex(mined({ finality: 'doubted' })?.value ?? '', /^Success, In doubt: /);
  const pending = {
    ...{ from: address, to: address, nonce: 1, value: '5', gasLimit: '21000', type: 2, input: '0x' },
    ...{ maxFeePerGas: '1', maxPriorityFeePerGas: '1' },
  };
  const none = async () => new Map();
  const deps = { verified: { interfaces: none }, signatures: { lookUp: none } } as never;
  for (const [standing, state] of [
    [{ state: 'pending', replacedBy: null }, 'Pending'],
    [{ state: 'mined', replacedBy: null }, 'In a block'],
    [{ state: 'replaced', replacedBy: hash }, 'Replaced'],
    [{ state: 'dropped', replacedBy: null }, 'Dropped'],
  ] as const) {
    const view = await pendingView(deps, request, { hash, transaction: pending, ...standing } as never);
    t.deepEqual(readCard(view).facts[0], { name: 'State', value: state });
    t.is(view.body.text.split(`>${state}<`).length, 2, 'the page says it once');
  }
});

test('preview picture of a page with hostile texts is drawn, and without a heading shows the title', async (t) => {
  const png = await drawCard(readCard(view), hostile);
  t.is(png.subarray(1, 4).toString(), 'PNG');
  t.is(readCard({ title: 'Only a title', body: html`` }).title, 'Only a title');
});

test('scale and picture of a chart with very many values are drawn', (t) => {
  const points = Array.from({ length: 150_000 }, (_, i) => ({ timestamp: i, value: String(i % 7) }));
  const series = [1, 2].map((n) => ({ name: `Series ${n}`, points, total: '1' }));
  const texts = { title: 'Title', unit: '', note: '', chainName: 'Chain' };
  t.true(chartSvg({ ...texts, resolution: '5min', isFlow: true, series }).length > 1_000_000);
});

test('picture of a chart with hostile texts is valid, and one without values says so', async (t) => {
  const picture = {
    ...{ title: hostile, unit: hostile, note: hostile, chainName: hostile, resolution: 'day', isFlow: true },
    series: [{ name: hostile, points: [{ timestamp: 0, value: '1' }], total: '1' }],
  };
  for (const series of [picture.series, [...picture.series, ...picture.series], []])
    for (const resolution of ['day', 'all']) {
      const svg = chartSvg({ ...picture, series, resolution });
      t.true(XMLValidator.validate(svg) === true);
      t.false(svg.includes('<image') || svg.includes('\u0000'));
      t.is(svg.includes('No data in this time range'), series.length === 0);
      t.is((await renderPng(svg)).subarray(1, 4).toString(), 'PNG');
    }
});
