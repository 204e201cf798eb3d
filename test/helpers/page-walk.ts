import { getAddress } from 'ethers';
import { pages } from '#api/pages/index.ts';
import { canonicalId } from '#registry/entity-id.ts';
import { attribute, type ReadPage, readPage } from './page-reader.ts';
import { chainId, type RunningApi } from './service.ts';

export type Subjects = Record<'account' | 'token' | 'nft' | 'hash' | 'block', string>;

const tabs: Record<string, string[]> = {
  '/tx/:hash': ['', 'logs', 'internal', 'changes', 'raw'],
  '/address/:address': ['', 'internal', 'transfers', 'tokens', 'nfts', 'events', 'contract', 'read', 'write'],
  '/agents': ['', 'testimonies'],
  '/token/:address': ['', 'holders'],
  '/nft/:address': ['', 'transfers', 'holders'],
};

export function listPagePaths({ account, token, nft, hash, block }: Subjects): string[] {
  // these need a job or a venue: verification.test.ts and markets.test.ts visit them
  const found = pages.filter(({ path }) => !['/contract/verification/:job', '/markets/:id'].includes(path));
  return found.flatMap(({ path }) => {
    const of = path === '/nft/:address' ? nft : path === '/token/:address' ? token : account;
    const entity = canonicalId({ kind: 'contract', chainId, address: token });
    const filled = path
      .replace('/entity/:id', `/entity/${entity}`)
      .replace(':hash', hash)
      .replace(':id', block)
      .replace(':chart_type', 'newTxns')
      .replace(':address', getAddress(of));
    return (tabs[path] ?? ['']).map((tab) => filled + (path === '/search' ? '?q=USD' : tab && `?tab=${tab}`));
  });
}

/** Reads the pages of a list from `path` on. @param rel next, or prev to walk backwards */
export async function walkPages(api: RunningApi, path: string, rel: 'next' | 'prev' = 'next'): Promise<ReadPage[]> {
  const found: ReadPage[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const page: ReadPage = await readPage(api, next);
    if (page.status !== 200) throw new Error(`${next}: ${page.status} ${page.text}`);
    found.push(page);
    const link = page.elements.find((element) => attribute(element, 'rel') === rel);
    next = link && attribute(link, 'href');
    if (found.length > 500) throw new Error(`${path}: the list does not end`);
  }
  return found;
}

/** Loads the preview picture of a page. @returns status, media type and size in pixels, as PNG states it */
export async function describePreview(api: RunningApi, { elements }: ReadPage): Promise<string> {
  const image = elements.find((element) => attribute(element, 'property') === 'og:image');
  const { pathname, search } = new URL((image && attribute(image, 'content')) ?? '');
  const reply = await fetch(api.origin + pathname + search);
  const bytes = Buffer.from(await reply.arrayBuffer());
  const size = `${bytes.readUInt32BE(16)} × ${bytes.readUInt32BE(20)}`;
  return `${reply.status} ${reply.headers.get('content-type')} ${size}`;
}
