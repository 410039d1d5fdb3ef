import { describeHeldChannels } from './proxies/held-channels.ts';

/** Ten minutes and a quarter: longer than Envoy's five minutes for a stream, and undici's for a body. */
describeHeldChannels(41);
