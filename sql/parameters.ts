export type Parameters = Record<string, string | number | bigint | boolean | readonly (string | number | bigint)[]>;
