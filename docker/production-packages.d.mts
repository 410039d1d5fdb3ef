/** All that a workspace needs at run time, by folders seen from the root: see production-packages.mjs. */
export function neededBy(
  root: string,
  workspace: string,
): { places: Map<string, string>; links: Map<string, string>; absent: string[] };
