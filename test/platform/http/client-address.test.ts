import { expect, test } from 'vitest';
import {
  addressOwner,
  forwardedAddress,
  isLocalRequest,
  isWithinNetworks,
} from '../../../platform/http/client-address.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:FFFF:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:0000:0000:0000:0001', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
  ['unknown', 'unknown'],
  ['', ''],
])('the client address %s belongs to the owner %s', (address, owner) => {
  expect(addressOwner(address)).toBe(owner);
});

test.each<[address: string | undefined, headers: Record<string, string>, isLocal: boolean]>([
  ['127.0.0.1', {}, true],
  ['127.8.9.1', {}, true],
  ['::1', { host: 'localhost' }, true],
  ['::ffff:127.0.0.1', {}, true],
  ['203.0.113.7', {}, false],
  ['10.0.0.1', {}, false],
  ['::ffff:10.0.0.1', {}, false],
  ['fe80::1', {}, false],
  ['0.0.0.0', {}, false],
  [undefined, {}, false],
  ['', {}, false],
  ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, false],
  ['127.0.0.1', { 'x-forwarded-for': '' }, false],
  ['127.0.0.1', { forwarded: 'for=127.0.0.1' }, false],
  ['::1', { via: '1.1 proxy' }, false],
  ['::1', { 'x-real-ip': '127.0.0.1' }, false],
])('a request from %s with the headers %j is from this machine: %j', (address, headers, isLocal) => {
  expect(isLocalRequest(address, headers)).toBe(isLocal);
});

test.each([
  ['192.0.2.7', ['198.51.100.0/24', '192.0.2.0/24'], true],
  ['::ffff:192.0.2.7', ['192.0.2.0/24'], true],
  ['192.0.3.7', ['192.0.2.0/24'], false],
  ['2001:db8::7', ['2001:db8::/32'], true],
  ['2001:db8::7', ['0.0.0.0/0'], false],
  ['192.0.2.7', ['::/0'], false],
  ['192.0.2.7', [], false],
  ['unknown', ['0.0.0.0/0', '::/0'], false],
  ['', ['0.0.0.0/0'], false],
])('whether the networks contain the client address %s: %j', (address, networks, isWithin) => {
  expect(isWithinNetworks(address, networks)).toBe(isWithin);
});

test.each<[header: string, value: string, address: string | undefined]>([
  ['x-forwarded-for', '203.0.113.7', '203.0.113.7'],
  ['x-forwarded-for', '203.0.113.7:5678', '203.0.113.7'],
  ['x-forwarded-for', 'forged, 203.0.113.7:5678', '203.0.113.7'],
  ['x-forwarded-for', '198.51.100.1,203.0.113.7 ', '203.0.113.7'],
  ['x-forwarded-for', '[2001:db8::1]:443', '2001:db8::1'],
  ['x-forwarded-for', '[2001:db8::1]', '2001:db8::1'],
  ['x-forwarded-for', '"[2001:db8::1]:443"', '2001:db8::1'],
  ['x-forwarded-for', '2001:DB8:0::1', '2001:db8::1'],
  ['x-forwarded-for', '::ffff:203.0.113.7', '203.0.113.7'],
  ['x-forwarded-for', '[::ffff:203.0.113.7]:80', '203.0.113.7'],
  ['x-forwarded-for', 'unknown', undefined],
  ['x-forwarded-for', '203.0.113.7,', undefined],
  ['forwarded', 'for=203.0.113.7', '203.0.113.7'],
  ['forwarded', 'for=forged, for="[2001:db8::1]:443";proto=https', '2001:db8::1'],
  ['forwarded', 'by=10.0.0.1;For="203.0.113.7:5678"', '203.0.113.7'],
  ['forwarded', 'for=203.0.113.7, for=_hidden', undefined],
  ['via', '203.0.113.7', undefined],
  ['forwarded', 'for="203.0.113.7:_gateway"', '203.0.113.7'],
  ['forwarded', 'by=3.0.0.1;for=203.0.113.7;host=x.test;proto=https', '203.0.113.7'],
  ['x-forwarded-for', 'fe80::1%eth0', 'fe80::1'],
  ['x-forwarded-for', '[fe80::1%25eth0]:443', 'fe80::1'],
])('a trusted proxy names the client in %s: %s', (header, value, address) => {
  expect(forwardedAddress({ [header]: value }, { trusted: 1 })).toBe(address);
});

test.each<[peer: string, hops: string | undefined, address: string | undefined]>([
  ['10.0.0.2', 'forged, 203.0.113.7, 35.191.0.9, 10.0.0.3', '203.0.113.7'],
  ['10.0.0.2', 'forged, 203.0.113.7', '203.0.113.7'],
  ['::ffff:10.0.0.2', '[2001:db8::1]:443, 130.211.0.1:1', '2001:db8::1'],
  ['10.0.0.2', '10.1.2.3, 10.0.0.3', '10.1.2.3'],
  ['10.0.0.2', 'forged, unknown, 10.0.0.3', undefined],
  ['10.0.0.2', undefined, undefined],
  ['203.0.113.9', '203.0.113.7', undefined],
])('behind proxies of trusted networks, a connection of %s for %s is from %s', (peer, hops, address) => {
  const networks = ['10.0.0.0/8', '130.211.0.0/22', '35.191.0.0/16'];
  expect(forwardedAddress({ 'x-forwarded-for': hops }, { trusted: networks }, peer)).toBe(address);
});

test('the client of two trusted proxies is the address that the outer proxy saw', () => {
  const hops = 'forged, 203.0.113.7:1, 10.0.0.2:2';
  expect(forwardedAddress({ 'x-forwarded-for': hops, forwarded: 'for=192.0.2.1' }, { trusted: 2 })).toBe(
    '203.0.113.7',
  );
  expect(forwardedAddress({ 'x-forwarded-for': ['forged', '203.0.113.7', '10.0.0.2'] }, { trusted: 2 })).toBe(
    '203.0.113.7',
  );
});

test.each([
  ['x-real-ip', '203.0.113.7'],
  ['cf-connecting-ip', '203.0.113.7'],
  ['forwarded', 'for="203.0.113.7:80"'],
  ['x-azure-clientip', '203.0.113.7:5678'],
])(
  'behind a gateway that sets only %s, a client cannot choose its address with another header',
  (header, value) => {
    const forged = { 'x-forwarded-for': '192.0.2.9', forwarded: 'for=192.0.2.9' };
    expect(forwardedAddress({ ...forged, [header]: value }, { trusted: 1, header })).toBe('203.0.113.7');
    expect(forwardedAddress({ 'x-forwarded-for': '192.0.2.9' }, { trusted: 1, header })).toBeUndefined();
  },
);
