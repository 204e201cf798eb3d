import { type Html, type HtmlValue, html } from '../../drawing/html.ts';

export type Fact = readonly [name: string, value: HtmlValue | undefined, note?: string | undefined] | false;

export function facts(list: readonly Fact[]): Html {
  const rows = list.flatMap((fact) => (fact && fact[1] !== undefined ? [fact] : []));
  return html`<dl class="facts">${rows.map(
    ([name, value, note]) =>
      html`<div><dt>${name}</dt><dd>${value}${note && html` <span class="note">${note}</span>`}</dd></div>`,
  )}</dl>`;
}

export function figures(list: readonly (readonly [name: string, value: HtmlValue, note?: HtmlValue])[]): Html {
  return html`<dl class="figures">${list.map(
    ([name, value, note]) => html`<div><dt>${name}</dt><dd>${value}${note && html` <small>${note}</small>`}</dd></div>`,
  )}</dl>`;
}
