import { describe, expect, it } from 'vitest';
import { allowedMethods } from './allowed-methods.ts';

describe('allowedMethods', () => {
  it.each([
    ['/stats', ['GET', 'HEAD']],
    ['/jobs/create', ['POST']],
    ['/jobs/anything/payment', ['GET', 'HEAD']],
    ['/jobs/anything/events', ['GET']],
    ['/operator/jobs.csv', ['GET', 'HEAD']],
    ['/operator/jobs/anything/pause', ['POST']],
    ['/operator/jobsXcsv', undefined],
    ['/jobs/a/b/payment', undefined],
    ['/nothing', undefined],
  ])('of %s are %j', (path, methods) => {
    expect(allowedMethods(path)).toEqual(methods);
  });
});
