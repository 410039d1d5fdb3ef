/**
 * Finds circles on a walk through all nodes, each with its first node at both ends; none if the links have no circle.
 * @param links from each node to the nodes that it needs; nodes without a key are ignored
 */
export function findCircles(links: ReadonlyMap<string, Iterable<string>>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): void => {
    const begin = path.indexOf(node);
    if (begin >= 0) circles.push([...path.slice(begin), node]);
    if (begin >= 0 || done.has(node)) return;
    for (const next of links.get(node) ?? []) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of links.keys()) visit(node, []);
  return circles;
}
