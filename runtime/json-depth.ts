/** Maximum levels of JSON from clients. Functions that descend by recursion, such as JSON.stringify, fail at thousands. */
export const maxJsonLevels = 100;

/** Returns whether objects and arrays of parsed JSON are nested in more than `maxJsonLevels` levels. */
export function isTooDeep(json: unknown): boolean {
  let open = [json].filter(isContainer);
  for (let level = 0; level < maxJsonLevels && open.length > 0; level++)
    open = open.flatMap((value) => Object.values(value).filter(isContainer));
  return open.length > 0;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
