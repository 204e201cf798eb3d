import { z } from 'zod';
import { getFirst } from '#runtime/lists.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { Address } from '../../terms/primitives.ts';

/** Account parameter: an address. @throws ApiProblem use_registry_entity for a 32-byte id, with the entity's path */
export const AccountId = z
  .string()
  .transform((text, context) => {
    if (/^0x[0-9a-fA-F]{64}$/.test(text)) {
      const entity = `/api/v1/registry/entity/${text.toLowerCase()}`;
      throw new ApiProblem(
        'use_registry_entity',
        `${text} is the 32-byte id of a registry entity (such as a wallet or partner), not an address: request ${entity}`,
        { entity },
      );
    }
    const parsed = Address.safeParse(text);
    if (parsed.success) return parsed.data;
    context.addIssue(getFirst(parsed.error.issues).message);
    return z.NEVER;
  })
  .meta({ description: 'Address of the account, 0x and 40 hex digits' });
