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
