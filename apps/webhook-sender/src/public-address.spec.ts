import { describe, expect, it } from 'vitest';
import { isPublicAddress, type Nat64Prefix, readNat64Prefix } from './public-address.ts';

it.each([
  '93.184.216.34',
  '8.8.8.8',
  '2606:4700:4700::1111',
  '::ffff:8.8.8.8',
  // NAT64
  '64:ff9b::8.8.8.8',
  '64:ff9b::808:808',
])('%s is public', (address) => {
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
  ['::7f00:1', 'this machine, IPv4-compatible'],
  ['::a9fe:a9fe', 'a cloud’s metadata, IPv4-compatible'],
  ['::127.0.0.1', 'this machine, IPv4-compatible'],
  ['::ffff:0:7f00:1', 'this machine, translated by SIIT'],
  ['64:ff9b::a9fe:a9fe', 'a cloud’s metadata behind NAT64'],
  ['64:ff9b:1::7f00:1', 'this machine behind a local NAT64'],
  ['2002:a9fe:a9fe::1', 'a cloud’s metadata in 6to4'],
  ['2001:0:4136:e378:8000:63bf:80ff:fffe', 'this machine in Teredo'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'a public address in Teredo'],
  ['2002:808:808::1', 'a public address in 6to4'],
  ['::808:808', 'a public address, IPv4-compatible'],
  ['64:ff9b:1::808:808', 'a local translator that no one named'],
  ['64:ff9b::a00:1', 'a private network behind NAT64'],
  ['64:ff9b::6440:1', 'a carrier’s network behind NAT64'],
  ['64:ff9b::0.0.0.0', 'this machine behind NAT64'],
  ['2606:4700::5efe:808:808', 'ISATAP'],
  ['2606:4700::200:5efe:7f00:1', 'this machine in ISATAP'],
  ['2001:10::1', 'ORCHID'],
  ['2001:20::1', 'ORCHIDv2'],
  ['2001:2::1', 'a benchmark'],
  ['2001:db8::1', 'documentation'],
  ['3fff::1', 'documentation'],
  ['fec0::1', 'this site'],
  ['fc00::1', 'a private network'],
  ['100::1', 'a black hole'],
  ['5f00::1', 'segment routing'],
  ['4000::1', 'not assigned'],
  ['198.18.0.1', 'a benchmark'],
  ['192.0.0.8', 'a protocol assignment'],
  ['192.88.99.1', 'a 6to4 relay'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['240.0.0.1', 'reserved'],
  ['0.1.2.3', 'this network'],
  ['fe80::1%eth0', 'this link'],
  ['::1%lo', 'this machine'],
  ['0x7f.1', 'this machine in another form'],
  ['2130706433', 'this machine in another form'],
  ['localhost', 'no address'],
])('%s is not: %s', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

describe('a translator of your own', () => {
  const judge = (prefix: string, address: string) => isPublicAddress(address, [readNat64Prefix(prefix) as Nat64Prefix]);

  // RFC 6052, section 2.4: the same IPv4 address under a prefix of each length.
  it.each([
    ['2001:db8::/32', '2001:db8:808:808::', '2001:db8:7f00:1::'],
    ['2001:db8:100::/40', '2001:db8:108:808:8::', '2001:db8:17f:0:1::'],
    ['2001:db8:122::/48', '2001:db8:122:808:8:800::', '2001:db8:122:7f00:0:100::'],
    ['2001:db8:122:300::/56', '2001:db8:122:308:8:808::', '2001:db8:122:37f:0:1::'],
    ['2001:db8:122:344::/64', '2001:db8:122:344:8:808:800::', '2001:db8:122:344:7f:0:100::'],
    ['2001:db8:122:344::/96', '2001:db8:122:344::808:808', '2001:db8:122:344::7f00:1'],
    ['fd00:64::/96', 'fd00:64::808:808', 'fd00:64::a9fe:a9fe'],
    ['2606:4700:64::/96', '2606:4700:64::808:808', '2606:4700:64::a00:1'],
  ])('%s is judged by the IPv4 address', (prefix, allowed, refused) => {
    expect([judge(prefix, allowed), judge(prefix, refused)]).toEqual([true, false]);
  });

  it('leaves other networks alone', () => {
    expect(judge('fd00:64::/96', 'fd00:65::808:808')).toBe(false);
    expect(judge('fd00:64::/96', '2606:4700:4700::1111')).toBe(true);
  });

  it.each(['fd00:64::/95', 'fd00:64::/128', '10.0.0.0/8', 'fd00:64::', 'example.com', ''])(
    '%j is no prefix',
    (text) => {
      expect(readNat64Prefix(text)).toBeUndefined();
    },
  );
});
