import { version } from '#runtime/version.ts';
import { pictureSize } from '../drawing/chart-picture.ts';
import { grouped } from '../drawing/grouped.ts';
import { type Html, html } from '../drawing/html.ts';
import type { FooterLinks, NetworkDeps } from '../terms/network.ts';
import type { Assets } from './assets.ts';
import { feeds } from './feeds.ts';
import type { PageView } from './page.ts';

export interface FrameParts {
  readonly assets: Assets;
  readonly nav: readonly { readonly name: string; readonly path: string }[];
  readonly settings: NetworkDeps['settings'] & { readonly origin: string; readonly footerLinks: FooterLinks };
}

interface Asked {
  readonly path: string;
  readonly card: string;
  readonly query: string;
}

export function frame({ assets, nav, settings }: FrameParts, view: PageView, { path, card, query }: Asked): string {
  const { chainName } = settings.network;
  const document = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${view.title} · ${chainName} · Cordscan</title>
<meta name="description" content="${view.title}: blocks, transactions, accounts, tokens and contracts of ${chainName}.">
<meta property="og:title" content="${view.title} · ${chainName}"><meta property="og:site_name" content="Cordscan"><meta property="og:image" content="${settings.origin}${card}"><meta property="og:image:width" content="${pictureSize.width}"><meta property="og:image:height" content="${pictureSize.height}"><meta name="twitter:card" content="summary_large_image">
<meta name="color-scheme" content="light dark"><meta name="referrer" content="same-origin">
<script src="${assets.script.path}"></script>
<link rel="stylesheet" href="${assets.style.path}"><link rel="icon" href="${assets.icon.path}" type="image/svg+xml">
<link rel="manifest" href="/site.webmanifest"><link rel="search" href="/opensearch.xml" type="application/opensearchdescription+xml" title="Cordscan">
${feeds.map(({ path: feed, title }) => html`<link rel="alternate" href="${feed}" type="application/atom+xml" title="${title}">`)}
</head><body>
<a class="skip" href="#content">Skip to content</a>
<header class="top"><div class="bar">
<a class="brand" href="/"><img src="${assets.icon.path}" alt="" width="26" height="26"><span>Cordscan</span></a>
<form class="search" role="search" action="/search"><input type="search" name="q" value="${query}" aria-label="Search by address, transaction, block, token, name or method" placeholder="Address, transaction, block, token, name" autocomplete="off" spellcheck="false" autocapitalize="off" maxlength="100" required><button>Search</button></form>
<div class="tools">${headState(view)}<span data-tools></span></div>
</div><nav class="main" aria-label="Explorer">${nav.map(
    ({ name, path: to }) => html`<a href="${to}"${isWithin(path, to) && html` aria-current="page"`}>${name}</a>`,
  )}</nav></header>
${notice(view)}<main id="content" tabindex="-1">${view.body}</main>
<footer><p>${chainName} · chain ${settings.chainId} · all figures come from <a href="/docs">the public API</a> · Cordscan ${version} · <a href="/status">status</a>${footerLinks(settings.footerLinks)}</p></footer>
</body></html>
`;
  return document.text;
}

const footerLinks = ({ source, terms }: FooterLinks) =>
  html`${source !== undefined && html` · <a href="${source}">source code</a>`}${terms !== undefined && html` · <a href="${terms}">terms of use</a>`}`;

const isWithin = (path: string, to: string) => path === to || path.startsWith(`${to}/`);

function headState({ index }: PageView): Html | false {
  if (!index) return false;
  return html`<a class="head" href="/block/${index.head}" title="Newest indexed block" data-head="${index.head}"><i class="dot" aria-hidden="true"></i><span class="unseen">Newest block </span><span data-head-number>${grouped(index.head)}</span></a>`;
}

function notice({ index }: PageView): Html {
  const text =
    index === undefined || index.complete
      ? ''
      : index.doubtedFrom !== null
        ? `A node contradicts block ${grouped(index.doubtedFrom)}, which was final. Do not rely on this block or later ones.`
        : index.lagBlocks === 0
          ? 'The nodes do not answer, or the index is not complete: newer or earlier blocks, or other data, can be missing.'
          : `The index is at block ${grouped(index.head)}, the chain at block ${grouped(index.chainHead)}. Some data can still be missing.`;
  return html`<div id="notice" data-live>${text && html`<p class="notice" role="status">${text} <a href="/status">Status</a></p>`}</div>`;
}
