/** HTML that html`` inserts unescaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlValue = Html | string | number | bigint | null | undefined | false | readonly HtmlValue[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** HTML markup, and control characters that a parser may drop or treat as the end of its input. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const unsafe = /[&<>"'`]|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

function escapeHtml(text: string): string {
  return text.replace(unsafe, (character) => entities[character] ?? '\ufffd');
}

/** Renders a template and escapes every value except Html. Put attribute values in double quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(strings.reduce((text, part, i) => text + part + render(values[i]), ''));
}

function render(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map(render).join('');
  return escapeHtml(String(value));
}
