/**
 * Returns the normalised discounted cumulative gain (nDCG) of search results, 0 to 1, with linear gains and logarithmic
 * discount. @source Järvelin, Kekäläinen 2002
 */
export function ndcg(ids: readonly string[], relevance: Readonly<Record<string, number>>, depth = 10): number {
  const gain = (values: readonly number[]) => values.reduce((sum, value, i) => sum + value / Math.log2(i + 2), 0);
  const found = [...new Set(ids)].slice(0, depth).map((id) => relevance[id] ?? 0);
  const ideal = Object.values(relevance)
    .sort((a, b) => b - a)
    .slice(0, depth);
  return gain(ideal) === 0 ? 0 : gain(found) / gain(ideal);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
