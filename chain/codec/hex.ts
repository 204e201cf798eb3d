const hashPattern = /^0x[0-9a-fA-F]{64}$/;
const addressPattern = /^0x[0-9a-fA-F]{40}$/;
const quantityPattern = /^0x[0-9a-fA-F]{1,64}$/;

export const isHash = (value: unknown): value is string => typeof value === 'string' && hashPattern.test(value);
export const isAddress = (value: unknown): value is string => typeof value === 'string' && addressPattern.test(value);
export const isQuantity = (value: unknown): value is string => typeof value === 'string' && quantityPattern.test(value);

export const isHexData = (value: unknown): value is string =>
  typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value);

export const toQuantity = (value: number | bigint): string => `0x${value.toString(16)}`;

export const hexDigits = (hex: string): string => hex.slice(2).toLowerCase();

export const hexToText = (hex: string): string => Buffer.from(hex.slice(2), 'hex').toString();

export const maxUint256 = (1n << 256n) - 1n;

export const zeroAddress = `0x${'0'.repeat(40)}`;

/** An unknown hash, and the parent hash of the first block. */
export const zeroHash = `0x${'0'.repeat(64)}`;

export const readTopicAddress = (topic: string): string => `0x${topic.slice(26)}`;
