/**
 * Decides which methods are forwarded, which are writes, and how long a reply may take.
 * @source docs/mechanisms.md#nodes-behind-proxy-and-edge
 */

const offered = /^(eth|x|net|web3)_[A-Za-z0-9_]{1,80}$/;
/** Methods that use the node's accounts or mining. With them, any caller could spend the operator's funds. */
const ofOperator = /^eth_(send(unsigned)?Transaction\w*|sign\w*|accounts|coinbase|submit\w*|resend)$/i;
const writing = /^(eth|x)_(send|submit|sign|resend|cancel|broadcast)/i;
const filtering = /^eth_(new\w*filter|getfilter\w*|uninstallfilter)$/i;
const slow = /^eth_(getLogs|call|estimateGas|feeHistory|createAccessList|getProof|getBlockReceipts)$|^x_/;

const usualTimeoutMs = 10_000;
const slowTimeoutMs = 30_000;

export const isOffered = (method: string): boolean => offered.test(method) && !ofOperator.test(method);
/** The writer gets each write once. */
export const isWrite = (method: string): boolean => writing.test(method);

/** Returns whether a method waits until its transaction is in a block. @source EIP-7966 */
export const waitsForBlock = (method: string): boolean => /sync$/i.test(method);

export const hasWrite = (calls: readonly { readonly method: string }[]): boolean =>
  calls.some(({ method }) => isWrite(method));

/** A filter exists only on the node that created it. */
export const isFilterMethod = (method: string): boolean => filtering.test(method);

/** Timeout, ms. */
export function getTimeout(methods: readonly string[]): number {
  return isSlow(methods) ? slowTimeoutMs : usualTimeoutMs;
}

export const isSlow = (methods: readonly string[]): boolean => methods.some((method) => slow.test(method));
