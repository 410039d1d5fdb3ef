import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import type { Sources } from './check-out.ts';
import type { RunStep } from './run-step.ts';

/** What a reader of a release wants to hear of, by the types of Conventional Commits. */
const SECTIONS = { feat: 'New', fix: 'Mended', perf: 'Faster' } as const;

const COMMIT = /^(?<type>\w+)(?:\((?<scope>[^)]+)\))?(?<breaking>!?): (?<what>.+)$/;

interface Change {
  readonly type: string;
  readonly isBreaking: boolean;
  readonly line: string;
}

/** The commits since the tag before, or since the first one, as Markdown. */
export async function releaseNotes(run: RunStep, { commit, version }: Sources): Promise<string> {
  const git = (...args: string[]) => run('git', ['-C', WORKSPACE_ROOT, ...args]);
  const before = await git('describe', '--tags', '--abbrev=0', `${commit}^`).then(
    (tag) => tag.trim(),
    // There is no tag yet.
    () => undefined,
  );
  const log = await git('log', '--format=%s', before ? `${before}..${commit}` : commit);
  const changes = log.split('\n').flatMap(changeOf);
  const sections = [
    section(
      'To be done when upgrading',
      changes.filter(({ isBreaking }) => isBreaking),
    ),
    ...Object.entries(SECTIONS).map(([type, title]) =>
      section(
        title,
        changes.filter((change) => change.type === type),
      ),
    ),
  ];
  return `# ${version}\n${sections.join('')}`;
}

function changeOf(subject: string): readonly Change[] {
  const { type, scope, breaking, what } = COMMIT.exec(subject)?.groups ?? {};
  if (!type || !what) return [];
  return [{ type, isBreaking: breaking === '!', line: scope ? `- **${scope}**: ${what}` : `- ${what}` }];
}

function section(title: string, changes: readonly Change[]): string {
  return changes.length > 0 ? `\n## ${title}\n\n${changes.map(({ line }) => line).join('\n')}\n` : '';
}
