import { expect, it } from 'vitest';
import { isPublicAddress } from './public-address.ts';

it.each(['93.184.216.34', '8.8.8.8', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each([
  ['127.0.0.1', 'this machine'],
  ['127.9.9.9', 'this machine'],
  ['0.0.0.0', 'this machine, on most systems'],
  ['10.1.2.3', 'a private network'],
  ['172.16.0.1', 'a private network'],
  ['192.168.1.1', 'a private network'],
  ['169.254.169.254', 'a cloud’s metadata'],
  ['100.64.0.1', 'a carrier’s network'],
  ['192.0.2.1', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['::1', 'this machine'],
  ['::', 'this machine, on most systems'],
  ['fe80::1', 'this link'],
  ['fd00:ec2::254', 'a cloud’s metadata'],
  ['ff02::1', 'multicast'],
  ['::ffff:127.0.0.1', 'this machine in another form'],
  ['::ffff:169.254.169.254', 'a cloud’s metadata in another form'],
  ['64:ff9b::7f00:1', 'this machine behind a translator'],
  ['2002:7f00:1::', 'this machine in a tunnel'],
  ['localhost', 'no address'],
])('%s is not: %s', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});
