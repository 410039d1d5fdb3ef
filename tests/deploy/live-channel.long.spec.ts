import { describeHeldChannels } from './proxies/held-channels.ts';

/** 10 minutes and 15 s: longer than Envoy's five minutes for a stream, and undici's for a body. */
describeHeldChannels(41);
