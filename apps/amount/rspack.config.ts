import { remoteBuilds } from '@maker/web-kit/build';

export default remoteBuilds(import.meta.dirname, 'amount');
