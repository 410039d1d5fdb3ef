import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { describe, expect, it } from 'vitest';
import {
  contributingPage,
  filesOfRound,
  ROUNDS,
  readPipelines,
  roundsOf,
  testFiles,
  testPrograms,
} from './pipelines.ts';

const pipelines = readPipelines();
const commands = pipelines.flatMap((pipeline) => pipeline.commands.map(({ text }) => text));
const roundsIn = (name: string) =>
  pipelines
    .filter((pipeline) => pipeline.name === name)
    .flatMap((pipeline) => pipeline.commands.flatMap(({ text }) => roundsOf(text)));

describe('pipelines', () => {
  it('reach every file with tests', () => {
    const reached = new Set(commands.flatMap(roundsOf).flatMap(filesOfRound));
    expect(testFiles().filter((file) => !reached.has(file))).toEqual([]);
  });

  it('run every program that tests or measures', () => {
    const programs = testPrograms();
    expect(programs).toContain('test:cluster');
    const isRun = (program: string) => commands.some((command) => `${command} `.includes(`npm run ${program} `));
    expect(programs.filter((program) => !isRun(program))).toEqual([]);
  });

  it('run the rounds of npm test for pull requests', () => {
    expect(roundsIn('pull request')).toEqual(roundsOf('npm test'));
    const [pullRequest] = pipelines;
    for (const { text, minutes } of pullRequest?.commands ?? []) expect(minutes, text).toBeLessThanOrEqual(15);
  });

  it('run every other round at night or each week', () => {
    expect([...roundsIn('nightly'), ...roundsIn('weekly')].sort()).toEqual([...ROUNDS].sort());
  });

  it('give each job a limit of time', () => {
    for (const { text, minutes } of pipelines.flatMap((pipeline) => pipeline.commands))
      expect(minutes, text).toBeGreaterThan(0);
  });

  it('stand in CONTRIBUTING.md as the workflows have them', async () => {
    await expect(contributingPage()).toMatchFileSnapshot(join(WORKSPACE_ROOT, 'CONTRIBUTING.md'));
  });
});
