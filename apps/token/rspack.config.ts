import { remoteBuild } from '@maker/web-kit/build';

export default remoteBuild(import.meta.dirname, 'token');
