import { createRequire } from 'node:module';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { NAMED_BROWSERS } from '../../libs/web-kit/build/named-browsers.ts';

/** APIs that at least one of the named browsers lacks. */
export interface YoungerApis {
  /** Names of the global object, such as 'scheduler'. */
  readonly globals: readonly string[];
  /** Members of constructors and namespaces, such as 'AbortSignal.any'. */
  readonly statics: readonly string[];
  /** Members of instances, such as 'Array.toSorted'. */
  readonly members: readonly string[];
}

/** A browser's support of a feature in MDN's data. */
interface Support {
  readonly version_added: string | false;
  readonly version_removed?: string;
  /** Only with a setting, or by another name. */
  readonly flags?: unknown;
  readonly prefix?: string;
  readonly alternative_name?: string;
}

interface Feature {
  readonly __compat?: { readonly support: Readonly<Record<string, Support | readonly Support[]>> };
  readonly [member: string]: unknown;
}

type Features = Readonly<Record<string, Feature>>;

const STATIC = '_static';
/** Entries that are no names of members: symbols, events, details of a member. */
const NO_MEMBER = /^__compat$|^@@|_event$|[^\w$]/;

/** The APIs younger than the named browsers. Source: MDN's browser-compat-data. */
export function youngerApis(): YoungerApis {
  const require = createRequire(join(WORKSPACE_ROOT, 'tools', 'linters', 'package.json'));
  const { api, javascript } = require('@mdn/browser-compat-data') as {
    api: Features;
    javascript: { readonly builtins: Features };
  };
  const found = { globals: new Set<string>(), statics: new Set<string>(), members: new Set<string>() };
  for (const [kind, features] of Object.entries({ api, builtins: javascript.builtins })) {
    for (const [owner, feature] of Object.entries(features)) {
      const isYoung = !isEverywhere(feature);
      if (isYoung) found.globals.add(owner);
      for (const [entry, member] of Object.entries(feature)) {
        if (NO_MEMBER.test(entry) || entry === owner || isEverywhere(member as Feature)) continue;
        const isStatic = entry.endsWith(STATIC);
        const name = `${owner}.${entry.replace(STATIC, '')}`;
        // The data does not distinguish members of built-in constructors from those of their instances.
        if (isStatic || kind === 'builtins') found.statics.add(name);
        if (!isStatic) found.members.add(name);
        if (owner === 'Window') found.globals.add(entry);
      }
    }
  }
  return { globals: [...found.globals], statics: [...found.statics], members: [...found.members] };
}

function isEverywhere({ __compat }: Feature): boolean {
  if (!__compat) return true;
  return Object.entries(NAMED_BROWSERS).every(([browser, version]) =>
    [__compat.support[browser] ?? []].flat().some((support) => isSupported(support as Support, version)),
  );
}

function isSupported(support: Support, version: string): boolean {
  if (support.flags || support.prefix || support.alternative_name) return false;
  const { version_added: added, version_removed: removed } = support;
  return isAtMost(added, version) && !isAtMost(removed, version);
}

function isAtMost(version: string | false | undefined, limit: string): boolean {
  if (!version || version === 'preview') return false;
  const [major = 0, minor = 0] = version.replace('≤', '').split('.').map(Number);
  const [mostMajor = 0, mostMinor = 0] = limit.split('.').map(Number);
  return major < mostMajor || (major === mostMajor && minor <= mostMinor);
}
