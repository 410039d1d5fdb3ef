import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import type { RunStep } from './run-step.ts';

/** Sections of the notes, by type of Conventional Commits. */
const SECTIONS = { feat: 'New', fix: 'Mended', perf: 'Faster' } as const;

const COMMIT = /^(?<type>\w+)(?:\((?<scope>[^)]+)\))?(?<breaking>!?): (?<what>.+)$/;

interface Change {
  readonly type: string;
  readonly isBreaking: boolean;
  readonly line: string;
}

const git = (run: RunStep, ...args: string[]) => run('git', ['-C', WORKSPACE_ROOT, ...args]);

/** Subjects of the commits up to `commit`, after the tag `before` or from the first commit. */
async function subjectsUpTo(run: RunStep, commit: string, before: string | undefined): Promise<string[]> {
  return (await git(run, 'log', '--format=%s', before ? `${before}..${commit}` : commit)).split('\n');
}

/** Release tags in the history of a commit, newest first. */
async function releaseTags(run: RunStep, commit: string): Promise<string[]> {
  const tags = await git(run, 'tag', '--list', 'v*', '--merged', commit, '--sort=-version:refname');
  return tags.split('\n').filter((tag) => tag !== '');
}

/** Notes of the commits since the previous tag, or since the first commit, as Markdown. */
export async function releaseNotes(
  run: RunStep,
  { commit, version }: { readonly commit: string; readonly version: string },
): Promise<string> {
  const [before] = (await releaseTags(run, commit)).filter((tag) => tag !== `v${version}`);
  return notesOf(version, await subjectsUpTo(run, commit, before));
}

/** The notes of the next release and of every release in the history of a commit, newest first. */
export async function changelog(run: RunStep, commit: string, version: string): Promise<string> {
  const tags = await releaseTags(run, commit);
  const since = await subjectsUpTo(run, commit, tags[0]);
  const next = tags[0] ? nextVersion(tags[0].slice(1), since) : version;
  const pages = next === undefined ? [] : [notesOf(`${next}, not yet released`, since)];
  for (const [index, tag] of tags.entries()) {
    pages.push(notesOf(tag.slice(1), await subjectsUpTo(run, tag, tags[index + 1])));
  }
  return pages.join('\n');
}

/** Notes for operators who upgrade, from commits' subjects, as Markdown. @param subjects newest first */
export function notesOf(title: string, subjects: readonly string[]): string {
  const changes = subjects.flatMap(changeOf);
  const sections = [
    section('To be done when upgrading', changes, ({ isBreaking }) => isBreaking),
    ...Object.entries(SECTIONS).map(([type, title]) => section(title, changes, (change) => change.type === type)),
  ];
  return `# ${title}\n${sections.join('')}`;
}

/**
 * The next version by Semantic Versioning. Before 1.0 a breaking change raises the minor version.
 * @param last released version, such as `0.4.1` @returns undefined if no commit belongs in the notes
 */
export function nextVersion(last: string, subjects: readonly string[]): string | undefined {
  const [major = 0, minor = 0, patch = 0] = last.split('.').map(Number);
  const changes = subjects.flatMap(changeOf);
  if (changes.some(({ isBreaking }) => isBreaking)) return major === 0 ? `0.${minor + 1}.0` : `${major + 1}.0.0`;
  if (changes.some(({ type }) => type === 'feat')) return `${major}.${minor + 1}.0`;
  if (changes.some(({ type }) => type in SECTIONS)) return `${major}.${minor}.${patch + 1}`;
  return undefined;
}

function changeOf(subject: string): readonly Change[] {
  const { type, scope, breaking, what } = COMMIT.exec(subject)?.groups ?? {};
  if (!type || !what) return [];
  return [{ type, isBreaking: breaking === '!', line: scope ? `- **${scope}**: ${what}` : `- ${what}` }];
}

function section(title: string, changes: readonly Change[], isIn: (change: Change) => boolean): string {
  const lines = changes.filter(isIn).map(({ line }) => line);
  return lines.length > 0 ? `\n## ${title}\n\n${lines.join('\n')}\n` : '';
}
