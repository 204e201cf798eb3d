/** Encode log topics for SQL: 64 hex digits without 0x. */

export const addressTopic = (address: string) => address.slice(2).padStart(64, '0');
export const numberTopic = (value: number) => value.toString(16).padStart(64, '0');
