export interface Operation {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly requestBody?: { content: Record<string, { example: unknown }> };
  readonly parameters: readonly {
    name: string;
    in: string;
    required: boolean;
    example?: string;
    schema: { pattern?: string };
  }[];
  readonly responses: Readonly<Record<string, { content: Record<string, unknown>; headers?: Record<string, unknown> }>>;
}

/** Returns the request made of the example values of an operation's parameters. */
export function exampleRequest(path: string, parameters: Operation['parameters']) {
  const value = (place: string) => parameters.filter((each) => each.in === place && each.example !== undefined);
  const url = value('path').reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
  const alone =
    path === '/api'
      ? ['module', 'action', 'address']
      : ['limit', 'q', 'resolution', 'fromBlock', 'toBlock', 'accounts'];
  const query = value('query').filter(({ name, required }) => required || alone.includes(name));
  return {
    url,
    query: new URLSearchParams(query.map(({ name, example }): [string, string] => [name, String(example)])),
  };
}
