export { pageBuild } from './page-build.ts';
export { remoteBuild } from './remote-build.ts';
export { shellBuild } from './shell-build.ts';
