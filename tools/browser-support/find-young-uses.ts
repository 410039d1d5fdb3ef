import { createRequire } from 'node:module';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import type { YoungerApis } from './younger-apis.ts';

type Node = Readonly<Record<string, unknown>> & { readonly type: string };

const GLOBAL_OBJECTS = new Set(['globalThis', 'window', 'self']);

/**
 * Globals and static members that a script uses, that a named browser lacks, and whose presence the script never asks for by
 * `typeof` or `in`. It does not see members of instances: their names alone do not tell them from a script's own.
 */
export function findYoungUses(
  script: string,
  { globals, statics }: Pick<YoungerApis, 'globals' | 'statics'>,
): string[] {
  const require = createRequire(join(WORKSPACE_ROOT, 'tools', 'linters', 'package.json'));
  const { parseSync } = require('oxc-parser') as {
    parseSync(file: string, text: string): { program: Node; errors: readonly { message: string }[] };
  };
  const { program, errors } = parseSync('script.js', script);
  if (errors[0]) throw new Error(`the script cannot be parsed: ${errors[0].message}`);
  const young = new Set([...globals, ...statics]);
  const used = new Set<string>();
  const asked = new Set<string>();
  const visit = (node: Node): void => {
    const name = nameOf(node);
    if (node.type === 'UnaryExpression' && node.operator === 'typeof') asked.add(nameOf(node.argument) ?? '');
    if (node.type === 'BinaryExpression' && node.operator === 'in') {
      const { left, right } = node as unknown as { left: Node; right: Node };
      if (left.type === 'Literal') {
        const owner = nameOf(right) ?? '';
        asked.add(GLOBAL_OBJECTS.has(owner) ? String(left.value) : `${owner}.${left.value}`);
      }
    }
    if (name !== undefined && young.has(name)) used.add(name);
    for (const [key, child] of Object.entries(node)) {
      if (!isNode(child) && !Array.isArray(child)) continue;
      // A name of a property is no global.
      if ((key === 'property' || key === 'key') && !node.computed) continue;
      for (const one of Array.isArray(child) ? child : [child]) if (isNode(one)) visit(one);
    }
  };
  visit(program);
  return [...used].filter((name) => !asked.has(name)).sort();
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string';
}

/** Such as 'navigation' for it and for `window.navigation`, or 'AbortSignal.any'. */
function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Identifier') return String(node.name);
  if (node.type !== 'MemberExpression' || !isNode(node.object) || !isNode(node.property)) return undefined;
  if (node.object.type !== 'Identifier') return undefined;
  const member = node.computed ? node.property.value : node.property.name;
  const owner = String(node.object.name);
  return GLOBAL_OBJECTS.has(owner) ? String(member) : `${owner}.${member}`;
}
