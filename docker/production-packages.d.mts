/** All folders that a workspace needs at run time, relative to the root: see production-packages.mjs. */
export function neededBy(root: string, workspace: string): { places: Map<string, string>; absent: string[] };
