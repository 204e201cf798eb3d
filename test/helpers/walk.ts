import type { RunningApi } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field
export async function walkItems(api: RunningApi, path: string, from?: string): Promise<any[]> {
  const items = [];
  let cursor: string | null | undefined = from;
  do {
    const more: string = cursor == null ? '' : `${path.includes('?') ? '&' : '?'}cursor=${cursor}`;
    const { status, body } = await api.get(`/api/v1${path}${more}`);
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    items.push(...body.items);
    cursor = body.nextCursor;
    if (body.hasMore !== (cursor !== null)) throw new Error(`${path}: hasMore and nextCursor disagree`);
  } while (cursor !== null);
  return items;
}
