/** The packed Hilbert R-tree: nodes of a box and an offset, the root first, each level after the one above it. */

/** Four doubles, min x, min y, max x, max y, and a uint64. */
export const nodeBytes = 40;

/** The number of nodes of each level, from the leaves up to a single root. */
export function levelSizes(featureCount: number, nodeSize: number): number[] {
  const sizes = [featureCount];
  do sizes.push(Math.ceil(sizes.at(-1)! / nodeSize));
  while (sizes.at(-1)! > 1);
  return sizes;
}

/** @param featureCount more than 0 @param nodeSize more than 1 */
export function indexBytes(featureCount: number, nodeSize: number): number {
  return levelSizes(featureCount, nodeSize).reduce((sum, size) => sum + size, 0) * nodeBytes;
}
