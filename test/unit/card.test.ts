import test from 'ava';
import { drawCard } from '#api/pages/card/draw-card.ts';
import { readCard } from '#api/pages/card/read-card.ts';
import { html } from '#api/pages/html.ts';
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
