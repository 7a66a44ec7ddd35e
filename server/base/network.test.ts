import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './network.ts';

test('an IPv6 address counts for its /64, however it is written', () => {
  const same = ['2001:db8:1:2::1', '2001:0DB8:0001:0002:aaaa:bbbb:cccc:dddd', '2001:db8:1:2:0:0:1.2.3.4'];
  for (const address of same) assert.equal(networkOf(address), '2001:db8:1:2::/64', address);
  assert.equal(networkOf('2001:db8:1:2::1', 48), '2001:db8:1::/48');
  assert.notEqual(networkOf('2001:db8:1:3::1'), networkOf('2001:db8:1:2::1'));
  assert.equal(networkOf('::1'), '0:0:0:0::/64');
  assert.equal(networkOf('fe80::1%eth0'), 'fe80:0:0:0::/64');
});

test('an IPv4-mapped address is the IPv4 address', () => {
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:c000:207', '0:0:0:0:0:ffff:c000:0207'])
    assert.equal(networkOf(address), '192.0.2.7', address);
});

test('what is no address is a network of its own, of bounded length', () => {
  assert.equal(networkOf('unknown'), 'unknown');
  assert.equal(networkOf('x'.repeat(10_000)).length, 64);
});
