/** On narrow screens, each table row becomes a card that repeats the column titles. */
import { type Html, type HtmlValue, html } from '../../drawing/html.ts';

export interface Column<T> {
  readonly title: string;
  readonly isNumber?: boolean;
  readonly cell: (row: T, at: number) => HtmlValue;
}

interface TableParts<T> {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly empty: string;
  readonly id?: string;
}

/** Sets ARIA roles, because the card style removes the implicit roles. */
export function table<T>({ caption, columns, rows, empty, id }: TableParts<T>): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const side = (column: Column<T>) => column.isNumber && html` class="number"`;
  return html`<table role="table" class="rows"${id && html` id="${id}"`}><caption class="unseen">${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map((column) => html`<th role="columnheader" scope="col"${side(column)}>${column.title}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(
    (row, at) =>
      html`<tr role="row">${columns.map((column) => html`<td role="cell" data-title="${column.title}"${side(column)}>${column.cell(row, at)}</td>`)}</tr>
`,
  )}</tbody></table>`;
}
