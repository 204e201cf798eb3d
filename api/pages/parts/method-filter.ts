import type { StoreDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { FilterField } from './filters.ts';

export const methodField: FilterField = { name: 'method', label: 'Method', placeholder: 'transfer(address,uint256)' };

const maxSignatures = 20;

/**
 * Reads a method filter: a selector, or a name that only one known method has.
 * @throws ApiProblem bad_query
 */
export async function readMethod(
  { database }: StoreDeps,
  query: URLSearchParams,
): Promise<{ readonly method?: string }> {
  const text = query.get('method')?.trim() ?? '';
  if (text === '') return {};
  if (/^0x/i.test(text)) return { method: text };
  const rows = await database.read('search_signatures', { text: `${text.split('(')[0]}(`, limit: maxSignatures });
  const fits = ({ kind, signature }: (typeof rows)[number]) =>
    kind === 'function' && (signature === text || signature.startsWith(`${text}(`));
  const [first, ...others] = rows.filter(fits);
  if (first && others.length === 0) return { method: `0x${first.selector_hex}` };
  const signatures = [first, ...others].flatMap((row) => row?.signature ?? []);
  throw new ApiProblem(
    'bad_query',
    signatures.length === 0
      ? `no known method is named ${text}: give its selector, 0x and 8 hex digits`
      : `${signatures.length} known methods are named ${text}: enter one of ${signatures.join(', ')}`,
  );
}
