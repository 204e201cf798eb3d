/** Account parameter: an address. For a 32-byte id, the error names the path of the registry entity. */
import { z } from 'zod';
import { getFirst } from '#runtime/lists.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Address } from '../../terms/primitives.ts';

/** @throws ApiProblem use_registry_entity with the path of the entity. */
export const AccountId = z
  .string()
  .transform((text, context) => {
    if (/^0x[0-9a-fA-F]{64}$/.test(text)) {
      const entity = `/api/v1/registry/entity/${text.toLowerCase()}`;
      throw new ApiProblem('use_registry_entity', `${text} is a 32-byte entity id: see ${entity}`, { entity });
    }
    const parsed = Address.safeParse(text);
    if (parsed.success) return parsed.data;
    context.addIssue(getFirst(parsed.error.issues).message);
    return z.NEVER;
  })
  .meta({ description: 'Address of the account, 0x and 40 hex digits' });
