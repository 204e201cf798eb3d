/** A list of rows. On narrow screens every row becomes a card, whose lines carry the titles of the columns. */
import { type Html, type HtmlValue, html } from '../html.ts';

export interface Column<T> {
  readonly title: string;
  /** Right-aligned. */
  readonly isNumber?: boolean;
  readonly cell: (row: T, at: number) => HtmlValue;
}

interface TableParts<T> {
  /** For those who hear the page. */
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** Said where there is no row. */
  readonly empty: string;
  readonly id?: string;
}

/** Roles are written out, since a table that is laid out as cards would lose them. */
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
