import { expect, it } from 'vitest';
import { hostOf } from './host-of.ts';

it.each([
  ['https://rpc.example/evm', 'rpc.example'],
  ['https://RPC.Example.:8443/v2/key', 'rpc.example'],
  ['http://user:key@rpc.example', 'rpc.example'],
  ['http://127.0.0.1:8545', '127.0.0.1'],
  ['http://127.0.0.1:8546', '127.0.0.1'],
  ['http://0x7f.1:8545', '127.0.0.1'],
  ['http://127.0.0.2:8545', '127.0.0.2'],
  ['http://[0:0::1]:8545', '::1'],
])('takes the host of %s', (url, host) => {
  expect(hostOf(url)).toBe(host);
});
