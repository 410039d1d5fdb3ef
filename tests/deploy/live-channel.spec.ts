import { describeHeldChannels } from './proxies/held-channels.ts';

/** 75 seconds: longer than the 15 and 60 seconds after which proxies cut a response or an upstream. */
describeHeldChannels(5);
