/** Forms that filter a list. They work without scripts, because the page URL contains the parameters. */

import { parseUnits } from 'ethers';
import { isoTime, parseIsoDay } from '#chain/codec/iso-time.ts';
import { type Html, html } from '../../drawing/html.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { PageRequest } from '../page.ts';
import { FormProblem } from './form-problem.ts';

type Option = readonly [value: string, title: string];

export type FilterField = {
  readonly name: string;
  readonly label: string;
  /** Route parameters that the field sets. Default: the name. */
  readonly sets?: readonly string[];
} & (
  | {
      readonly options: readonly Option[];
      /** Selected option if the parameter is missing. Default: the first one. */
      readonly fallback?: string;
    }
  | { readonly placeholder: string; readonly maxLength?: number }
  | {
      readonly isDate: true;
      /** Also accepts a time of day, for `withSeconds`. */
      readonly hasTime?: boolean;
    }
);

export const orderField: FilterField = {
  name: 'order',
  label: 'Order',
  options: [
    ['desc', 'newest first'],
    ['asc', 'oldest first'],
  ],
};

export const leastCoinField: FilterField = {
  name: 'least',
  label: 'At least',
  placeholder: 'coins',
  sets: ['minValue'],
};

export const sizeField: FilterField = {
  name: 'limit',
  label: 'Rows',
  options: ['25', '50', '100', '200'].map((size): Option => [size, size]),
};

export const dateFields: readonly FilterField[] = [
  { name: 'since', label: 'Since', isDate: true, sets: ['fromTime'] },
  { name: 'until', label: 'Until', isDate: true, sets: ['toTime'] },
];

/** Fields of all lists of blocks and times, read by readDates() and readParameters(). */
export const listFields: readonly FilterField[] = [...dateFields, orderField, sizeField];

/**
 * Shows a form and its content. If a value is wrong, the error page shows the form again and names the field by its
 * label.
 * @throws FormProblem
 */
export async function withForm<T>(
  request: Pick<PageRequest, 'url' | 'query'>,
  fields: readonly FilterField[],
  show: (form: Html) => Promise<T>,
): Promise<T> {
  const form = filterForm(request, fields);
  return show(form).catch((error: unknown) => keepForm(error, form, fields));
}

/** @throws FormProblem, which shows the form again, if a value is wrong; otherwise the error itself */
export function keepForm(error: unknown, form: Html, fields: readonly FilterField[] = []): never {
  if (!(error instanceof ApiProblem) || error.code !== 'bad_query') throw error;
  const [parameter = '', ...rest] = error.detail.split(' ');
  const field = fields.find(({ name, sets = [name] }) => sets.includes(parameter));
  throw new FormProblem(field ? [`“${field.label}”`, ...rest].join(' ') : error.detail, form);
}

/** The form leads to the first page of the filtered list. Its URL keeps the tab and the parameters in `kept`. */
export function filterForm(
  { url, query }: Pick<PageRequest, 'url' | 'query'>,
  fields: readonly FilterField[],
  ...kept: readonly string[]
): Html {
  const hidden = ['tab', ...kept].map((name) => [name, query.get(name)] as const);
  return html`<form class="filter" action="${url.split('?')[0]}">${hidden.map(([name, value]) => value && html`<input type="hidden" name="${name}" value="${value}">`)}${fields.map(
    (field) =>
      html`<label>${field.label} ${renderInput(field, query.get(field.name) ?? ('fallback' in field ? field.fallback : undefined) ?? '')}</label> `,
  )}<button>Show</button></form>`;
}

function renderInput(field: FilterField, value: string): Html {
  const { name } = field;
  if ('options' in field)
    return html`<select name="${name}">${field.options.map(([one, title]) => html`<option value="${one}"${one === value && html` selected`}>${title}</option>`)}</select>`;
  if ('isDate' in field) return (field.hasTime ? momentInput : dayInput)(name, value);
  return html`<input type="text" name="${name}" value="${value}" placeholder="${field.placeholder}" maxlength="${'maxLength' in field ? field.maxLength : 100}" autocomplete="off" spellcheck="false">`;
}

const day = 86_400;

const readUnix = (moment: string) => (/^\d{1,10}$/.test(moment) ? Number(moment) : undefined);

/** Renders a day input. @param moment date, or Unix seconds */
export function dayInput(name: string, moment: string): Html {
  const time = readUnix(moment);
  return html`<input type="date" name="${name}" value="${time === undefined ? moment : isoTime(time).slice(0, 10)}">`;
}

/**
 * As `dayInput`, with the time of day unless the moment is the first or last second of a day. Zoom sets such moments.
 */
export function momentInput(name: string, moment: string): Html {
  const time = readUnix(moment);
  if (time === undefined || time % day === 0 || (time + 1) % day === 0) return dayInput(name, moment);
  return html`<input type="datetime-local" step="1" name="${name}" value="${isoTime(time).slice(0, -1)}">`;
}

/** Converts times from `momentInput` fields to Unix seconds. Days stay unchanged. */
export function withSeconds<T extends Readonly<Record<string, string>>>(given: T, ...names: readonly string[]): T {
  const times = names.flatMap((name) => {
    const text = given[name] ?? '';
    const ms = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
    return Number.isNaN(ms) ? [] : [[name, String(ms / 1_000)]];
  });
  return { ...given, ...Object.fromEntries(times) };
}

/**
 * Converts form dates, inclusive and in UTC, to Unix seconds.
 * @throws ApiProblem bad_query
 */
export function readDates(query: URLSearchParams): { readonly fromTime?: string; readonly toTime?: string } {
  const [since, until] = ['since', 'until'].map((name) => readDay(query.get(name) ?? ''));
  if (since !== undefined && until !== undefined && since > until)
    throw new ApiProblem('bad_query', '“Since” must not be after “Until”');
  return {
    ...(since === undefined ? {} : { fromTime: String(since) }),
    ...(until === undefined ? {} : { toTime: String(until + 86_399) }),
  };
}

function readDay(text: string): number | undefined {
  if (text === '') return undefined;
  const start = parseIsoDay(text);
  if (start === undefined) throw new ApiProblem('bad_query', 'a date must have the form 2026-01-31');
  return start;
}

/** Number with commas between thousands, as in 1,500. Elsewhere, a comma may mean a decimal point. */
const thousands = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/;

/**
 * Converts the field `least` to a minimum value in the smallest unit.
 * @param decimals of the field's unit; default: those of the coin
 * @throws ApiProblem bad_query
 */
export function readLeast(query: URLSearchParams, decimals = 18): { readonly minValue?: string } {
  const given = query.get('least')?.trim() ?? '';
  const text = thousands.test(given) ? given.replaceAll(',', '') : given;
  if (text === '') return {};
  const [, fraction = ''] = text.split('.');
  if (!/^\d{1,40}(\.\d{1,77})?$/.test(text) || fraction.length > decimals)
    throw new ApiProblem(
      'bad_query',
      `an amount must be a number such as 1,500 or 0.25, here with at most ${decimals} decimals`,
    );
  return { minValue: String(parseUnits(text, decimals)) };
}
