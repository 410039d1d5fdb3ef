export type { PageFiles, PrerenderModule } from './prerendered-pages.ts';
export { remoteBuild } from './remote-build.ts';
export { shellBuild } from './shell-build.ts';
