/**
 * Files that browsers, search engines and feed readers expect.
 * @source RFC 9309 (robots.txt), sitemaps.org, OpenSearch 1.1, W3C Web Application Manifest
 */
import type Router from '@koa/router';
import { html } from '../drawing/html.ts';
import type { NetworkDeps } from '../terms/network.ts';
import type { Assets } from './assets.ts';
import type { AnyPage } from './page.ts';

/** Crawlers of messengers and social networks, which read a linked page for a preview. */
const previewReaders = ['Twitterbot', 'facebookexternalhit', 'LinkedInBot', 'Slackbot', 'Discordbot', 'TelegramBot'];

export interface SiteDeps extends NetworkDeps {
  readonly settings: NetworkDeps['settings'] & { readonly origin: string };
}

/** @param pages the sitemap lists / and the pages with `nav` */
export function mountSiteFiles(
  router: Router,
  { settings: { origin, network } }: SiteDeps,
  { icon }: Assets,
  pages: readonly AnyPage[],
): void {
  const name = `Cordscan, explorer of ${network.chainName}`;
  const listed = pages.flatMap(({ nav, path }) => (nav || path === '/' ? [path] : [])).concat('/docs');
  const xml = (text: string) => `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;
  const files: Readonly<Record<string, readonly [type: string, body: string]>> = {
    // search crawlers would never finish, because each address, block and transaction has a page; preview crawlers read
    // single pages
    '/robots.txt': [
      'text/plain; charset=utf-8',
      `${previewReaders.map((name) => `User-agent: ${name}\n`).join('')}Disallow: /api\n\nUser-agent: *\nDisallow: /card\nDisallow: /api\nDisallow: /search\nDisallow: /tx/\nDisallow: /address/\nDisallow: /block/\nSitemap: ${origin}/sitemap.xml\n`,
    ],
    '/sitemap.xml': [
      'application/xml',
      xml(
        html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${listed.map((path) => html`<url><loc>${origin + path}</loc></url>`)}</urlset>`
          .text,
      ),
    ],
    '/opensearch.xml': [
      'application/opensearchdescription+xml',
      xml(
        html`<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>Cordscan</ShortName><Description>${name}</Description><InputEncoding>UTF-8</InputEncoding><Image type="image/svg+xml">${origin}${icon.path}</Image><Url type="text/html" template="${origin}/search?q={searchTerms}"/></OpenSearchDescription>`
          .text,
      ),
    ],
    '/site.webmanifest': [
      'application/manifest+json',
      JSON.stringify({
        name,
        short_name: 'Cordscan',
        start_url: '/',
        display: 'browser',
        icons: [{ src: icon.path, sizes: 'any', type: icon.type }],
      }),
    ],
    '/favicon.ico': [icon.type, icon.body],
  };
  for (const [path, [type, body]] of Object.entries(files))
    router.get(path, (ctx) => {
      ctx.set('Cache-Control', 'public, max-age=86400');
      ctx.type = type;
      ctx.body = body;
    });
}
