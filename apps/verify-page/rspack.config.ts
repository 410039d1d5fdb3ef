import { pageBuild } from '@maker/web-kit/build';

export default pageBuild(import.meta.dirname, '/');
