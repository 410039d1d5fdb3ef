/**
 * Part of `npm run lint`: prints every import against the directions between projects (package.json) and inside large ones
 * (floors.json), and fails if there is one. A project is a package with a `src`.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import { judgeProject } from './judge-project.ts';
import { judgeUses } from './judge-uses.ts';
import { readSourceFile, type SourceFile } from './source-file.ts';

const ROOT = join(import.meta.dirname, '../..');
const manifestSchema = z.object({ name: z.string(), dependencies: z.record(z.string(), z.string()).default({}) });
const floorsSchema = z.record(z.string(), z.array(z.array(z.string())));

const read = (...path: string[]): unknown => JSON.parse(readFileSync(join(ROOT, ...path), 'utf8'));

function readFiles(source: string): SourceFile[] {
  return globSync(join(ROOT, source, '**/*.{ts,tsx}')).map((file) =>
    readSourceFile(relative(join(ROOT, source), file).split(sep).join('/'), readFileSync(file, 'utf8')),
  );
}

const floors = floorsSchema.parse(read('floors.json'));
const projects = globSync('{apps,libs}/*/package.json', { cwd: ROOT })
  .map((manifest) => join(manifest, '..'))
  .filter((folder) => existsSync(join(ROOT, folder, 'src')))
  .sort()
  .map((folder) => {
    const { name, dependencies } = manifestSchema.parse(read(folder, 'package.json'));
    const uses = Object.keys(dependencies).filter((dependency) => dependency.startsWith('@maker/'));
    return { folder, name, uses, files: readFiles(join(folder, 'src')) };
  });
const faults = [
  ...Object.keys(floors)
    .filter((folder) => !projects.some((project) => project.folder === folder))
    .map((folder) => `floors.json declares '${folder}', which is no project of the workspace`),
  ...judgeUses(projects),
  ...projects.flatMap(({ folder, files }) => judgeProject(folder, floors[folder], files)),
];
for (const fault of faults) console.error(`✗ ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;
