import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import type { RunningApi } from './service.ts';

type Node = DefaultTreeAdapterTypes.Node;
export type Element = DefaultTreeAdapterTypes.Element;

export interface ReadPage {
  readonly status: number;
  readonly headers: Headers;
  readonly source: string;
  readonly elements: readonly Element[];
  readonly text: string;
}

export async function readPage(api: RunningApi, path: string, headers: Record<string, string> = {}): Promise<ReadPage> {
  const reply = await api.get(path, { headers: { accept: 'text/html', ...headers } });
  const elements: Element[] = [];
  collect(parse(reply.body), elements);
  const text = getWords(parse(reply.body)).join(' ').replace(/\s+/g, ' ');
  return { status: reply.status, headers: reply.headers, source: reply.body, elements, text };
}

function collect(node: Node, into: Element[]): void {
  if ('tagName' in node) into.push(node);
  for (const child of 'childNodes' in node ? node.childNodes : []) collect(child, into);
}

/** Returns the text of each text node, so that words of different elements do not merge. */
function getWords(node: Node): string[] {
  if (node.nodeName === '#text') return [(node as DefaultTreeAdapterTypes.TextNode).value];
  return 'childNodes' in node ? node.childNodes.flatMap(getWords) : [];
}

export function toText(node: Node): string {
  if (node.nodeName === '#text') return (node as DefaultTreeAdapterTypes.TextNode).value;
  return 'childNodes' in node ? node.childNodes.map(toText).join('') : '';
}

export const attribute = (element: Element, name: string) => element.attrs.find((one) => one.name === name)?.value;

export function findLinks({ elements }: ReadPage, prefix: string): string[] {
  return elements.flatMap((element) => {
    const target = element.tagName === 'a' ? attribute(element, 'href') : undefined;
    return target?.startsWith(prefix) ? [target] : [];
  });
}

const elementNames = new Set(
  (
    'html head meta title script link body a header div img span form input button nav i main h1 h2 h3 p small strong section ' +
    'footer dl dt dd ol ul li table caption thead tbody tr th td time bdi code pre details summary label select option ' +
    'progress figure svg g path circle rect textarea fieldset legend mark'
  ).split(' '),
);
const attributeNames =
  /^(lang|charset|name|content|src|rel|href|type|class|role|action|value|aria-[a-z]+|placeholder|autocomplete|spellcheck|autocapitalize|maxlength|required|id|tabindex|title|alt|width|height|viewBox|viewbox|preserveAspectRatio|d|cx|cy|r|vector-effect|datetime|scope|data-[a-z-]+|max|start|download|selected|http-equiv|method|rows|fill|property|loading)$/;

/** Finds markup that no template writes: text from the chain that was not escaped. */
export function findForeignContent({ elements, text }: ReadPage): string[] {
  const faults: string[] = [];
  for (const element of elements) {
    if (!elementNames.has(element.tagName)) faults.push(`element ${element.tagName}`);
    if (element.tagName === 'script' && !/^\/assets\/app\.[\w-]+\.js$/.test(attribute(element, 'src') ?? ''))
      faults.push('a script that is not the one asset');
    if (element.tagName === 'script' && toText(element) !== '') faults.push('a script with text');
    for (const { name, value } of element.attrs) {
      if (!attributeNames.test(name)) faults.push(`attribute ${name} of ${element.tagName}`);
      if (/^(href|src|action)$/.test(name) && !/^(\/(?!\/)|#)/.test(value)) faults.push(`${name} leads to ${value}`);
      if (hidden.test(value)) faults.push(`a hidden character in ${name}`);
    }
  }
  if (hidden.test(text)) faults.push(`hidden characters: ${JSON.stringify(hidden.exec(text)![0])}`);
  return [...new Set(faults)];
}

const hidden = /(?![\t\n\r])[\p{Cc}\p{Default_Ignorable_Code_Point}\u202a-\u202e\u2060-\u206f]/u;
