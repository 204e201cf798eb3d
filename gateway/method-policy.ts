/** Which methods are passed on, which change the chain, and how long each may take. @source specification 4.11 and 4.13 */

const offered = /^(eth|x|net|web3)_[A-Za-z0-9_]{1,80}$/;
const writing = /^(eth|x)_(send|submit|sign|resend|cancel|broadcast)/i;
const filtering = /^eth_(new\w*filter|getfilter\w*|uninstallfilter)$/i;
const slow = /^eth_(getLogs|call|estimateGas|feeHistory|createAccessList|getProof|getBlockReceipts)$|^x_/;

const usualTimeoutMs = 10_000;
const slowTimeoutMs = 30_000;

export const isOffered = (method: string): boolean => offered.test(method);
/** Goes to the writer alone, and is never sent twice. */
export const isWrite = (method: string): boolean => writing.test(method);
/** Belongs to the node that made the filter. */
export const isFilterMethod = (method: string): boolean => filtering.test(method);

/** Longest of its calls, ms. */
export function timeoutOf(methods: readonly string[]): number {
  return methods.some((method) => slow.test(method)) ? slowTimeoutMs : usualTimeoutMs;
}
