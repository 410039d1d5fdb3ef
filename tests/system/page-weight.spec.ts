import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { STANDARD_CONTAINER } from '@maker/web-kit';
import { describe, expect, it } from 'vitest';

const APPS = join(import.meta.dirname, '..', '..', 'apps');
const REMOTES = ['token', 'amount', 'payment', 'terms'] as const;

/** KiB of brotli-compressed JavaScript. */
const BUDGETS = { landing: 70, firstRemote: 100, returningToJob: 110, furtherRemote: 20 };

interface Script {
  path: string;
  content: string;
  /** Brotli-compressed, KiB. */
  weight: number;
}

/** All JavaScript of a build that the shell can load: the most for a browser. */
function scriptsOf(app: string): Script[] {
  const directory = join(APPS, app, 'dist', 'web');
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js') && !path.startsWith(STANDARD_CONTAINER))
    .map((path) => {
      const content = readFileSync(join(directory, path));
      return { path, content: content.toString(), weight: brotliCompressSync(content).length / 1024 };
    });
}

const weigh = (scripts: readonly Script[]): number => scripts.reduce((sum, { weight }) => sum + weight, 0);

/** Loaded on demand, for a visitor who opens a link to a job, names another return address, ends their job, or has recent jobs. */
const isOnDemand = ({ path }: Script) => /\/(open-link|change-return-address|recent-jobs)\./.test(path);

const shell = scriptsOf('shell');
const html = readFileSync(join(APPS, 'shell', 'dist', 'web', 'index.html'), 'utf8');
const landing = shell.filter(({ path }) => html.includes(`src="/${path}"`));
const later = shell.filter((script) => !landing.includes(script) && !isOnDemand(script));
const remotes = REMOTES.map((name) => ({ name, scripts: scriptsOf(name).filter((script) => !isOnDemand(script)) }));
const asFirst = (scripts: readonly Script[]) => weigh(landing) + weigh(later) + weigh(scripts);

describe('JavaScript that a browser loads, in brotli-compressed KiB', () => {
  console.table([
    { what: 'landing, until it can be used', adds: weigh(landing).toFixed(1), 'as the first remote': '' },
    { what: 'live stats and federation runtime', adds: weigh(later).toFixed(1), 'as the first remote': '' },
    ...remotes.map(({ name, scripts }) => ({
      what: name,
      adds: weigh(scripts).toFixed(1),
      'as the first remote': asFirst(scripts).toFixed(1),
    })),
  ]);

  it(`is at most ${BUDGETS.landing} until the landing can be used`, () => {
    expect(landing).not.toEqual([]);
    expect(weigh(landing)).toBeLessThanOrEqual(BUDGETS.landing);
  });

  it.each(remotes.filter(({ name }) => name === 'token' || name === 'terms'))(
    `is at most ${BUDGETS.firstRemote} in all when $name is first`,
    ({ scripts }) => {
      expect(asFirst(scripts)).toBeLessThanOrEqual(BUDGETS.firstRemote);
    },
  );

  it.each(remotes)(`is at most ${BUDGETS.returningToJob} for returning to $name`, ({ scripts }) => {
    expect(asFirst(scripts)).toBeLessThanOrEqual(BUDGETS.returningToJob);
  });

  it.each(remotes)(`grows by at most ${BUDGETS.furtherRemote} with $name`, ({ scripts }) => {
    expect(weigh(scripts)).toBeLessThanOrEqual(BUDGETS.furtherRemote);
  });
});

describe('modules that must be in the page once (design § 8)', () => {
  const marks = {
    'the federation runtime': '__FEDERATION__',
    React: 'react.transitional.element',
    'react-dom': 'onCommitFiberRoot',
    'TanStack Query': 'QueryClientProvider to set one',
  };

  it.each(Object.entries(marks))('%s is in one file of the shell only', (_, mark) => {
    const holders = [...shell, ...remotes.flatMap(({ scripts }) => scripts)].filter((script) =>
      script.content.includes(mark),
    );
    expect(holders.map(({ path }) => path)).toHaveLength(1);
    expect(shell).toContain(holders[0]);
  });

  it.each(['the federation runtime', 'TanStack Query'] as const)('the landing does not wait for %s', (what) => {
    expect(landing.filter(({ content }) => content.includes(marks[what]))).toEqual([]);
  });
});
