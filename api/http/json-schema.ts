import { z } from 'zod';

export type Json = Record<string, unknown>;

/** Converts a zod schema. Moves named schemas to `schemas` and refers to them. */
export function toSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const converted = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => refine(jsonSchema),
  });
  const { $schema: _, $defs, ...json } = converted as Json & { $defs?: Json };
  for (const [name, definition] of Object.entries($defs ?? {})) schemas[name] = withoutId(definition);
  return withoutId(json);
}

/** Converts a parameter. Unlike in URLs, enums and defaults of integers and booleans are not strings. */
export function toParameterSchema(field: z.ZodType): Json {
  const { pattern, enum: values, ...schema } = toSchema(field, 'input', {});
  const unset = field.safeParse(undefined);
  if (schema['type'] === 'integer')
    return { ...schema, ...(values ? { enum: (values as string[]).map(Number) } : {}), ...ofDefault(unset.data) };
  if (schema['type'] === 'boolean')
    return { ...schema, ...ofDefault(unset.data === undefined ? undefined : unset.data === 'true') };
  return { ...schema, ...(pattern ? { pattern } : {}), ...(values ? { enum: values } : {}) };
}

const ofDefault = (value: unknown) => (value === undefined ? {} : { default: value });

function refine(schema: z.core.JSONSchema.BaseSchema): void {
  if (Number.isInteger(schema.const)) schema.type = 'integer';
  if (schema.maximum === Number.MAX_SAFE_INTEGER) {
    delete schema.maximum;
    schema.format = 'int64';
  }
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

function withoutId(definition: unknown): Json {
  const text = JSON.stringify(definition).replaceAll('#/$defs/', '#/components/schemas/');
  const { id: _, ...schema } = JSON.parse(text) as Json;
  return schema;
}
