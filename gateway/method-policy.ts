/**
 * Decides which methods are forwarded, which are writes, and how long a reply may take.
 * @source docs/mechanisms.md#nodes-behind-proxy-and-edge
 */

const offered = /^(eth|x|net|web3)_[A-Za-z0-9_]{1,80}$/;
/** Methods that use accounts of the node, or its mining: any caller could use up what belongs to the operator. */
const ofOperator = /^eth_(send(unsigned)?Transaction\w*|sign\w*|accounts|coinbase|submit\w*|resend)$/i;
const writing = /^(eth|x)_(send|submit|sign|resend|cancel|broadcast)/i;
const filtering = /^eth_(new\w*filter|getfilter\w*|uninstallfilter)$/i;
const slow = /^eth_(getLogs|call|estimateGas|feeHistory|createAccessList|getProof|getBlockReceipts)$|^x_/;

const usualTimeoutMs = 10_000;
const slowTimeoutMs = 30_000;

export const isOffered = (method: string): boolean => offered.test(method) && !ofOperator.test(method);
/** Returns whether a method writes, for example sends a transaction. Writes go once to one node, the writer. */
export const isWrite = (method: string): boolean => writing.test(method);

/** Returns whether a method waits until the transaction that it sends is in a block. @source EIP-7966 */
export const waitsForBlock = (method: string): boolean => /sync$/i.test(method);

/** Returns whether one of the calls sends a transaction. */
export const hasWrite = (calls: readonly { readonly method: string }[]): boolean =>
  calls.some(({ method }) => isWrite(method));

/** Returns whether a method uses a filter, which exists only on the node that created it. */
export const isFilterMethod = (method: string): boolean => filtering.test(method);

/** Returns the timeout of a request, ms. */
export function getTimeout(methods: readonly string[]): number {
  return isSlow(methods) ? slowTimeoutMs : usualTimeoutMs;
}

export const isSlow = (methods: readonly string[]): boolean => methods.some((method) => slow.test(method));
