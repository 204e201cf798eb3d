/** Maximum nesting of JSON from clients. Recursive functions such as JSON.stringify fail at thousands of levels. */
export const maxJsonLevels = 100;

/** Returns whether parsed JSON has more than `maxJsonLevels` levels of objects and arrays. */
export function isTooDeep(json: unknown): boolean {
  let open = [json].filter(isContainer);
  for (let level = 0; level < maxJsonLevels && open.length > 0; level++)
    open = open.flatMap((value) => Object.values(value).filter(isContainer));
  return open.length > 0;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
