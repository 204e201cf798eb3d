/** Atom feeds of reorgs and of newly verified contracts. @source RFC 4287 */

import type Router from '@koa/router';
import type { Context } from 'koa';
import type { Log } from '#runtime/log.ts';
import { grouped } from '../drawing/grouped.ts';
import { html } from '../drawing/html.ts';
import { asProblem } from '../http/problem.ts';
import { listVerifiedContracts } from '../routes/contracts/contract.ts';
import { listReorgs } from '../routes/deposits/list-reorgs.ts';
import { callRoute, type RouteDeps } from './ask.ts';
import { readableText } from './parts/chain-text.ts';
import { counted } from './parts/number.ts';
import { countLost } from './reorgs.ts';
import type { SiteDeps } from './site-files.ts';
import { addVisitor, type ChargeDeps, type VisitorDeps } from './visitor.ts';

type FeedRouteDeps = RouteDeps<typeof listReorgs | typeof listVerifiedContracts>;
export type FeedDeps = { readonly log: Log } & SiteDeps & ChargeDeps & Omit<FeedRouteDeps, keyof VisitorDeps>;

interface Entry {
  readonly title: string;
  readonly path: string;
  /** Permanent and unique. */
  readonly id: string;
  readonly updated: string;
  readonly text: string;
}

interface Feed {
  readonly path: string;
  readonly title: string;
  readonly read: (deps: FeedRouteDeps) => Promise<Entry[]>;
}

const entries = '50';
const startOfTime = '1970-01-01T00:00:00Z';

export const feeds: readonly Feed[] = [
  {
    path: '/feeds/reorgs.xml',
    title: 'Reorgs',
    read: async (deps) => {
      const { items } = await callRoute(deps, listReorgs, {}, { limit: entries });
      return items.map(({ detectedAt, depth, forkBlock, removed, transactions }) => ({
        title: `${counted(depth, 'block')} removed after block ${grouped(forkBlock)}`,
        path: '/reorgs',
        id: `reorg:${removed[0] ?? forkBlock}:${detectedAt}`,
        updated: detectedAt,
        text: `${counted(transactions.length, 'transaction')} in removed blocks, ${countLost(transactions)} of them in no block now`,
      }));
    },
  },
  {
    path: '/feeds/contracts.xml',
    title: 'Verified contracts',
    read: async (deps) => {
      const { items } = await callRoute(deps, listVerifiedContracts, {}, { limit: entries });
      return items.map(({ address, name, compilerVersion, match, verifiedAt }) => ({
        title: `${readableText(name)} at ${address}`,
        path: `/address/${address}?tab=contract`,
        id: `contract:${address}:${verifiedAt}`,
        updated: verifiedAt,
        text: `${match} match, compiler ${readableText(compilerVersion)}`,
      }));
    },
  },
];

export function mountFeeds(router: Router, deps: FeedDeps): void {
  for (const feed of feeds) router.get(feed.path, (ctx) => send(deps, feed, ctx));
}

async function send(deps: FeedDeps, { path, title, read }: Feed, ctx: Context): Promise<void> {
  const { origin, network } = deps.settings;
  ctx.state.route = `feed ${path}`;
  try {
    const list = await read(addVisitor(deps, ctx)(deps));
    ctx.body = `<?xml version="1.0" encoding="UTF-8"?>\n${
      html`<feed xmlns="http://www.w3.org/2005/Atom"><title>${title}: ${network.chainName}</title><id>${origin}${path}</id><link rel="self" href="${origin}${path}"/><link href="${origin}/"/><author><name>Cordscan</name></author><updated>${list[0]?.updated ?? startOfTime}</updated>${list.map(
        (entry) =>
          html`<entry><title>${entry.title}</title><id>urn:cordscan:${entry.id}</id><link href="${origin}${entry.path}"/><updated>${entry.updated}</updated><summary>${entry.text}</summary></entry>`,
      )}</feed>`.text
    }\n`;
    ctx.type = 'application/atom+xml; charset=utf-8';
    ctx.set('Cache-Control', 'public, max-age=60');
  } catch (error) {
    const problem = asProblem(error);
    if (problem.status >= 500) deps.log.error({ event: 'feed_failed', path, code: problem.code, error: String(error) });
    ctx.status = problem.status;
    ctx.type = 'text/plain';
    ctx.body = `${problem.detail}\n`;
  }
}
