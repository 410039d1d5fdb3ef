import { parseSync, Visitor } from 'rolldown/utils';

/** One import of a file: a statement, a re-export, a dynamic import, or a type import. */
export interface ImportLine {
  specifier: string;
  /** From 1. */
  line: number;
}

/** A file with its imports. */
export interface SourceFile {
  /** Relative to the project's `src`, with `/`. */
  path: string;
  imports: ImportLine[];
}

/** Reads the imports of a TypeScript file. @throws when the text does not parse */
export function readSourceFile(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path} cannot be parsed: ${errors[0].message}`);
  const imports: ImportLine[] = [];
  const add = (node: { source: unknown; start: number }): void => {
    const { source } = node;
    // A computed dynamic import has an unknown target.
    if (!source || typeof source !== 'object' || !('value' in source) || typeof source.value !== 'string') return;
    imports.push({ specifier: source.value, line: text.slice(0, node.start).split('\n').length });
  };
  new Visitor({
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add,
  }).visit(program);
  return { path, imports };
}

/** Whether a file exists only for tests, so that it may import anything. */
export function isForTests(path: string): boolean {
  return /\.(spec|fixture)\.tsx?$/.test(path);
}
