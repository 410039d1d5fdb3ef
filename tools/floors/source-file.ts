import { parseSync, Visitor } from 'rolldown/utils';

/** One import of a file: a statement, a re-export, a dynamic import, or a type that is taken from a module. */
export interface ImportLine {
  specifier: string;
  /** Counted from 1. */
  line: number;
}

/** A file and what it imports. */
export interface SourceFile {
  /** From the project's `src`, with `/`. */
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
    // What a dynamic import computes is known to nobody before it runs.
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

/** Whether a file is there for tests only, and so imports what it likes. */
export function isForTests(path: string): boolean {
  return /\.(spec|fixture)\.tsx?$/.test(path);
}
