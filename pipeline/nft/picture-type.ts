/** Finds the media type of a picture from its first bytes. @source WHATWG MIME Sniffing, section 6.1 */

/** First bytes, hex; `.` stands for any digit. */
const signatures: readonly (readonly [type: string, pattern: RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^474946383[79]61/],
  ['image/webp', /^52494646.{8}57454250565038/],
  ['image/avif', /^.{8}6674797061766966|^.{8}6674797061766973/],
];

/** An XML declaration, comments and a document type may precede the tag `<svg>`. */
const svg =
  /^\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S]){0,2000}-->\s*)*(?:<!doctype svg[^>[]*>\s*)?<svg[\s>]/i;

/** Returns undefined for content that is not a picture. */
export function findPictureType(content: Buffer): string | undefined {
  const head = content.subarray(0, 32).toString('hex');
  const found = signatures.find(([, pattern]) => pattern.test(head));
  if (found) return found[0];
  return svg.test(content.subarray(0, 4_096).toString('utf8')) ? 'image/svg+xml' : undefined;
}
