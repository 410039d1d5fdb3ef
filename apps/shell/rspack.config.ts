import { shellBuild } from '@maker/web-kit/build';

export default shellBuild(import.meta.dirname);
