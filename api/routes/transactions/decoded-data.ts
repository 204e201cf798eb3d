import { z } from 'zod';
import type { Decoded } from '../../read/contracts/decode/decode.ts';

export const DecodedData = z
  .strictObject({
    source: z.enum(['verified', 'standard', 'signature']).meta({
      description:
        'verified: decoded with the source code of the contract, its implementation, or a contract with equal code; standard: decoded with a common interface such as ERC-20; signature: decoded with a signature from another contract, so the name can be wrong',
    }),
    standard: z
      .string()
      .nullable()
      .meta({ description: 'Common interface that declares the event; null if none does' }),
    name: z.string(),
    signature: z.string().meta({ description: 'Name and types, such as transfer(address,uint256)' }),
    parameters: z.array(
      z.strictObject({
        name: z.string(),
        type: z.string(),
        value: z.union([z.string(), z.array(z.string())]).meta({
          description:
            'Numbers are decimal, bytes are hex; a struct or array inside a list is one text, such as "[1, 0xab]"',
        }),
      }),
    ),
    otherSignatures: z
      .array(z.string())
      .meta({ description: 'Other known signatures that fit the data as well; the decoded one is the most trusted' }),
  })
  .meta({
    id: 'DecodedData',
    description: 'Decoded call or event; null if no known declaration fits. Absent without the parameter decode=true',
  });

export function toDecodedData(decoded: Decoded | undefined): z.input<typeof DecodedData> | null {
  if (!decoded) return null;
  const { source, family, name, signature, values, others } = decoded;
  const parameters = values.map(({ value, ...rest }) => ({
    ...rest,
    value: typeof value === 'string' ? value : [...value],
  }));
  return { source, standard: family || null, name, signature, parameters, otherSignatures: [...others] };
}
