export { pageBuild } from './page-build.ts';
export { remoteBuilds } from './remote-build.ts';
export { shellBuild } from './shell-build.ts';
