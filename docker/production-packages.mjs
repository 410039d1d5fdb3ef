/**
 * Finds what a workspace needs at run time: itself, the workspaces that it depends on, and the packages that these name as
 * dependencies. So one installation serves every workspace. npm's own installation would contain the development dependencies of
 * every linked workspace too.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The folder where Node finds `name` from `directory`, or undefined. */
function find(root, name, directory) {
  for (let folder = directory; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(candidate)) return candidate;
    // A linked package may be outside the root.
    if (folder === root || folder === dirname(folder)) return undefined;
  }
}

/** Required names, optional names, and names that are used only if another package installs them. */
function dependencies({
  dependencies = {},
  optionalDependencies = {},
  peerDependencies = {},
  peerDependenciesMeta = {},
}) {
  const isOptional = (name) => peerDependenciesMeta[name]?.optional === true;
  const peers = Object.keys(peerDependencies).filter((name) => !isOptional(name));
  const optional = new Set(Object.keys(optionalDependencies));
  return {
    named: [...new Set([...Object.keys(dependencies), ...optional, ...peers])].map((name) => ({
      name,
      required: !optional.has(name),
    })),
    unbrought: Object.keys(peerDependenciesMeta).filter(isOptional),
  };
}

/**
 * Everything that a workspace needs at run time.
 * @param {string} root the installed workspace's @param {string} workspace folder in it
 * @returns {{ places: Map<string, string>, absent: string[] }} folders by their path relative to the root, and the names of optional
 * peers that no package installs
 */
export function neededBy(root, workspace) {
  const places = new Map();
  const names = new Set();
  const unbrought = new Set();
  const visit = (found) => {
    const directory = realpathSync(found);
    const place = relative(root, directory);
    if (places.has(place)) return;
    places.set(place, directory);
    const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    names.add(manifest.name);
    const asked = dependencies(manifest);
    for (const name of asked.unbrought) unbrought.add(name);
    for (const { name, required } of asked.named) {
      const dependency = find(root, name, directory);
      if (dependency) visit(dependency);
      else if (required) throw new Error(`${manifest.name} needs ${name}, which is not installed`);
    }
  };
  visit(join(root, workspace));
  return { places, absent: [...unbrought].filter((name) => !names.has(name)).sort() };
}
