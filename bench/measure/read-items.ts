import { request } from 'undici';

/** Reads the items of a list of the API. @param path path below /api/v1 */
export async function readItems<T>(origin: string, path: string): Promise<T[]> {
  const { body } = await request(`${origin}/api/v1${path}`);
  return ((await body.json()) as { items: T[] }).items;
}
