import { known } from '#runtime/known.ts';
import type { StoreDeps } from '../../read/reader-deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { FilterField } from './filters.ts';

export const methodField: FilterField = { name: 'method', label: 'Method', placeholder: 'transfer or 0xa9059cbb' };

const maxSignatures = 20;

/**
 * Reads the method of a filter: a selector, or a name that only one known method has.
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
  const selectors = rows.filter(fits).map(({ selector_hex }) => `0x${selector_hex}`);
  if (selectors.length === 1) return { method: known(selectors[0], 'the selector of a method') };
  throw new ApiProblem(
    'bad_query',
    selectors.length === 0
      ? `no known method is named ${text}: give its selector, 0x and 8 hex digits`
      : `${selectors.length} known methods are named ${text}: give the signature or the selector, one of ${selectors.join(', ')}`,
  );
}
