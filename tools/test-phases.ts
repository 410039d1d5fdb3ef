import { globSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';

/** A kind of test, run by one tool. */
export interface TestPhase {
  name:
    | 'unit'
    | 'screens'
    | 'integration'
    | 'system'
    | 'browser'
    | 'chaos'
    | 'adversary'
    | 'deploy'
    | 'observability'
    | 'api-fuzz';
  /** Test files, relative to the workspace. */
  files: string[];
}

/** Phases that run together, their files side by side. */
export interface TestRound {
  phases: TestPhase[];
  /** What it should take on two quiet cores; a round begins only where so much time is left. */
  minutes: number;
  /** Its tests use one running product, over its addresses, as a visitor or an operator would. */
  usesSharedStack: boolean;
}

/** `quick`: what every change needs (`npm test`). `full`: the long ones after it (`npm run test:full`). */
export type TestScope = 'quick' | 'full';

interface Pattern {
  name: TestPhase['name'];
  include: string;
  exclude?: string;
}

interface RoundPattern {
  patterns: readonly Pattern[];
  minutes: number;
  /** Rounds that do stand side by side, so that the stack is started once and none waits for them. */
  usesSharedStack?: boolean;
  /** Left out of `quick`. */
  isLong?: boolean;
  /** Only where a filter names its files: it needs more of the machine than Node and git, or longer than a run has. */
  onlyWhenAsked?: boolean;
}

/** A file that takes minutes of waiting or computing has this in its name. */
const LONG = '.long.';

/** Need a product and leave nothing in it that the browser could meet; the others start one of their own. */
const ON_SHARED_STACK = '(api-errors|metrics|validate-token)';
/** Longer than a run has, or not yet seen green as a whole. */
const ASKED_FOR = '{correct-answers,large-plans,largest-plan,many-jobs}';
/** These say little beside six other stacks: delays during restarts, searches of memory, a limit of requests, fifteen jobs at a time. */
const QUIET = ['rolling-restart', '{recovery-drill,leaked-secrets}', 'limited-endpoint', 'venues'] as const;
/** The product as a whole at what a quick test holds in its parts; `bench` says nothing of the product. */
const WHOLE = '{bench,killed-service,lost-exchange,reorganisation}';
const OTHER =
  '{canary-round,chain-switches,filled-chain,follow-request,gateway-replicas,limited-tokens,other-layer,quickstart,whole-job,xpub-mismatch}';
/** Many jobs at once on a stack each. */
const PLANS = ['{dear-gas,matrix}', 'plan-kept'] as const;

/** Twenty jobs at once, each of which meets several who mean harm. */
const COMBINED = 'combinations.spec.ts';

const longSystem = (names: string): Pattern => ({ name: 'system', include: `tests/system/${names}${LONG}spec.ts` });

const ROUNDS: readonly RoundPattern[] = [
  {
    patterns: [
      {
        name: 'unit',
        include: '{{apps,libs}/*/src/**,tools/**,tests/documents,tests/deploy/observability}/*.spec.ts',
        exclude: '.integration.spec.',
      },
      { name: 'screens', include: '{apps,libs}/*/src/**/*.spec.tsx' },
      { name: 'integration', include: '{apps,libs}/*/src/**/*.integration.spec.ts', exclude: LONG },
      { name: 'system', include: `tests/system/!${ON_SHARED_STACK}.spec.ts`, exclude: LONG },
    ],
    minutes: 10,
  },
  {
    patterns: [{ name: 'system', include: `tests/system/@${ON_SHARED_STACK}.spec.ts` }],
    minutes: 1,
    usesSharedStack: true,
  },
  {
    patterns: [{ name: 'browser', include: 'tests/e2e/**/*.e2e.ts', exclude: LONG }],
    minutes: 5,
    usesSharedStack: true,
  },
  {
    patterns: [{ name: 'browser', include: `tests/e2e/**/*${LONG}e2e.ts` }],
    minutes: 5,
    usesSharedStack: true,
    isLong: true,
  },
  { patterns: [longSystem(WHOLE)], minutes: 4, isLong: true },
  { patterns: [{ name: 'chaos', include: 'tests/chaos/*.spec.ts' }], minutes: 16, isLong: true },
  { patterns: [longSystem(QUIET[0])], minutes: 3, isLong: true },
  { patterns: [longSystem(QUIET[1])], minutes: 4, isLong: true },
  { patterns: [longSystem(QUIET[2])], minutes: 4, isLong: true },
  { patterns: [longSystem(QUIET[3])], minutes: 5, isLong: true },
  {
    patterns: [{ name: 'integration', include: `{apps,libs}/*/src/**/*${LONG}integration.spec.ts` }, longSystem(OTHER)],
    minutes: 14,
    isLong: true,
  },
  { patterns: [longSystem(PLANS[0])], minutes: 8, isLong: true },
  { patterns: [longSystem(PLANS[1])], minutes: 7, isLong: true },
  { patterns: [{ name: 'adversary', include: `tests/adversary/${COMBINED}` }], minutes: 6, isLong: true },
  {
    patterns: [{ name: 'adversary', include: 'tests/adversary/*.spec.ts', exclude: COMBINED }],
    minutes: 20,
    onlyWhenAsked: true,
  },
  {
    patterns: [{ name: 'observability', include: 'tests/deploy/observability/*.prometheus.ts' }],
    minutes: 10,
    onlyWhenAsked: true,
  },
  { patterns: [{ name: 'deploy', include: 'tests/deploy/*.spec.ts' }], minutes: 20, onlyWhenAsked: true },
  { patterns: [{ name: 'api-fuzz', include: 'tests/api-fuzz/*.spec.ts' }], minutes: 10, onlyWhenAsked: true },
  {
    patterns: [longSystem(ASKED_FOR)],
    minutes: 15,
    onlyWhenAsked: true,
  },
];

/**
 * The rounds of a scope that have test files left when only paths holding one of the filters count. Where there are
 * filters, long files count in any scope.
 */
export function chooseRounds(filters: readonly string[], scope: TestScope): TestRound[] {
  const isChosen = ({ isLong, onlyWhenAsked }: RoundPattern) =>
    filters.length > 0 || (!onlyWhenAsked && (scope === 'full' || !isLong));
  return ROUNDS.filter(isChosen)
    .map(({ patterns, minutes, usesSharedStack = false }) => ({
      minutes,
      usesSharedStack,
      phases: patterns
        .map((pattern) => ({ name: pattern.name, files: filesOf(pattern, filters) }))
        .filter(({ files }) => files.length > 0),
    }))
    .filter(({ phases }) => phases.length > 0);
}

function filesOf({ include, exclude }: Pattern, filters: readonly string[]): string[] {
  return globSync(include, { cwd: WORKSPACE_ROOT })
    .filter((file) => !exclude || !file.includes(exclude))
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .sort();
}

/** Where reports and the shared stack's logs are left to be read after a run. */
export const RESULTS_DIRECTORY = join(WORKSPACE_ROOT, 'test-results');
