/**
 * What a workspace needs at run time: itself, the workspaces that it stands on, and the packages that these name as dependencies.
 * One installation serves every workspace this way, and npm's own would hold more: the development dependencies of every linked
 * workspace.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Where Node finds `name` from `directory`, or undefined. */
function find(root, name, directory) {
  for (let folder = directory; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(candidate)) return candidate;
    // A linked package may lie outside of the root.
    if (folder === root || folder === dirname(folder)) return undefined;
  }
}

/** Names that must be there, names that may be, and names that are used where somebody else brings them. */
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
 * All that a workspace needs.
 * @param {string} root the installed workspace's @param {string} workspace folder in it
 * @returns {{ places: Map<string, string>, links: Map<string, string>, absent: string[] }} folders by their place seen from the root,
 * the places of links to them, and the names of packages that some of them would use and nobody brings
 */
export function neededBy(root, workspace) {
  const places = new Map();
  const links = new Map();
  const names = new Set();
  const unbrought = new Set();
  const visit = (found) => {
    const directory = realpathSync(found);
    const place = relative(root, directory);
    const link = relative(root, found);
    if (link !== place) links.set(link, place);
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
  return { places, links, absent: [...unbrought].filter((name) => !names.has(name)).sort() };
}
