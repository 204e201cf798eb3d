/** Shortens hashes and addresses in the middle, then cuts the text at `maxLength` characters. */
export function shorten(text: string, maxLength: number): string {
  return cut(text.replace(/0x([0-9a-fA-F]{6})[0-9a-fA-F]{20,}([0-9a-fA-F]{6})/g, '0x$1…$2'), maxLength);
}

export function cut(text: string, maxLength: number): string {
  const characters = [...text];
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`;
}
