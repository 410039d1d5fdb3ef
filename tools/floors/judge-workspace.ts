import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import { declarationSchema } from './declaration.ts';
import { judgeProject } from './judge-project.ts';
import { readSourceFile, type SourceFile } from './source-file.ts';

const workspacesSchema = z.object({ workspaces: z.array(z.string()) });

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function readFiles(source: string): SourceFile[] {
  return globSync(join(source, '**/*.{ts,tsx}')).map((file) =>
    readSourceFile(relative(source, file).split(sep).join('/'), readFileSync(file, 'utf8')),
  );
}

/** The violations of `floors.json` by the workspace's projects, one sentence each. A project is a package with a `src`. */
export function judgeWorkspace(root: string): string[] {
  const { workspaces } = workspacesSchema.parse(readJson(join(root, 'package.json')));
  const declaration = declarationSchema.parse(readJson(join(root, 'floors.json')));
  const projects = globSync(workspaces.map((pattern) => join(root, pattern, 'package.json')))
    .map((manifest) => relative(root, join(manifest, '..')))
    .filter((project) => existsSync(join(root, project, 'src')))
    .sort();
  return [
    ...Object.keys(declaration)
      .filter((project) => !projects.includes(project))
      .map((project) => `floors.json declares '${project}', which is no project of the workspace`),
    ...projects.flatMap((project) => {
      const declared = declaration[project];
      if (!declared) return [`${project} is not declared in floors.json`];
      return judgeProject(project, declared, readFiles(join(root, project, 'src')));
    }),
  ];
}
