export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
