import GithubSlugger from 'github-slugger';
import type { Code, Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString as toText } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';

export interface CodeBlock {
  readonly language: string | undefined;
  /** Text after the language in a block's first line, such as `run` in "```sh run". Viewers hide it. */
  readonly mark: string;
  readonly text: string;
  readonly line: number;
  readonly isFenced: boolean;
}

export interface Page {
  /** Anchors of a page's headings, as GitHub creates them. */
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly string[];
  readonly inlineCodes: readonly string[];
  readonly blocks: readonly CodeBlock[];
}

export function parsePage(text: string): Page {
  const slugger = new GithubSlugger();
  const [anchors, links, inlineCodes, blocks] = [new Set<string>(), [] as string[], [] as string[], [] as CodeBlock[]];
  visit(fromMarkdown(text) as Nodes, (node) => {
    if (node.type === 'heading') anchors.add(slugger.slug(toText(node)));
    else if (node.type === 'link' || node.type === 'image' || node.type === 'definition') links.push(node.url);
    else if (node.type === 'inlineCode') inlineCodes.push(node.value);
    else if (node.type === 'code') blocks.push(codeBlock(node, text));
  });
  return { anchors, links, inlineCodes, blocks };
}

function codeBlock({ lang, meta, value, position }: Code, page: string): CodeBlock {
  const { line = 0, offset = 0 } = position?.start ?? {};
  return {
    language: lang ?? undefined,
    mark: meta ?? '',
    text: value,
    line,
    isFenced: /[`~]/.test(page[offset] ?? ''),
  };
}
