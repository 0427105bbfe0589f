import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../../deliveries/http/address.ts';

describe('the address guard', () => {
  test.each([
    '127.0.0.1',
    '127.255.255.254',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.100.100.200',
    '192.0.0.192',
    '0.0.0.0',
    '224.0.0.1',
    '239.255.255.255',
    '255.255.255.255',
    '198.18.0.1',
    '240.0.0.1',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '2002:7f00:1::',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '2001:db8::1',
    '100::1',
    'no address',
    '',
  ])('refuses %s', (address) => {
    expect(refusalOf(address, [])).not.toBeNull();
  });

  test.each(['8.8.8.8', '203.0.112.1', '::ffff:8.8.8.8', '2606:4700:4700::1111'])('permits %s', (address) => {
    expect(refusalOf(address, [])).toBeNull();
  });

  test('permits what an allowed network names, and nothing beside it', () => {
    const allowed = ['10.1.0.0/16', '::1/128'];
    expect(refusalOf('10.1.255.255', allowed)).toBeNull();
    expect(refusalOf('::ffff:10.1.0.1', allowed)).toBeNull();
    expect(refusalOf('::1', allowed)).toBeNull();
    expect(refusalOf('10.2.0.1', allowed)).toBe('private');
    expect(refusalOf('127.0.0.1', allowed)).toBe('loopback');
  });
});
