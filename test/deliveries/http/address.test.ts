import { describe, expect, test } from 'vitest';
import { findAddressProblem } from '../../../deliveries/http/address.ts';

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
    '::7f00:1',
    '::a9fe:a9fe',
    '::808:808',
    '168.63.129.16',
    '2822734096',
    '0xa83f8110',
    '0250.077.0201.020',
    '168.63.33040',
    '::ffff:168.63.129.16',
    '::ffff:a83f:8110',
    '::a83f:8110',
    '2002:a83f:8110::',
    '64:ff9b::168.63.129.16',
    '64:ff9b::a83f:8110',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::10.0.0.1',
    '64:ff9b::6464:64c8',
    '64:ff9b:0:0:0:0:c0a8:101',
    '64:ff9b:1::808:808',
    '::ffff:0:127.0.0.1',
    '2606:4700::5efe:127.0.0.1',
    '2606:4700::200:5efe:a9fe:a9fe',
    '169.254.170.2',
    '169.254.170.23',
    '169.254.0.23',
    '169.254.42.42',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
    'fd00:42::42',
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
  ])('the address guard refuses %s', (address) => {
    expect(findAddressProblem(address, [])).not.toBeNull();
  });

  test.each([
    '8.8.8.8',
    '203.0.112.1',
    '168.63.129.17',
    '::ffff:8.8.8.8',
    '2606:4700:4700::1111',
    '64:ff9b::8.8.8.8',
    '64:ff9b::808:808',
    '2606:4700::5efe:8.8.8.8',
  ])('the address guard permits %s', (address) => {
    expect(findAddressProblem(address, [])).toBeNull();
  });

  test('the address guard permits the allowed networks and no other private address', () => {
    const allowed = ['10.1.0.0/16', '::1/128'];
    expect(findAddressProblem('10.1.255.255', allowed)).toBeNull();
    expect(findAddressProblem('::ffff:10.1.0.1', allowed)).toBeNull();
    expect(findAddressProblem('::1', allowed)).toBeNull();
    expect(findAddressProblem('64:ff9b::10.1.0.1', allowed)).toBeNull();
    expect(findAddressProblem('64:ff9b::10.2.0.1', allowed)).toBe('private');
    expect(findAddressProblem('64:ff9b::10.2.0.1', ['64:ff9b::/96'])).toBeNull();
    expect(findAddressProblem('168.63.129.16', allowed)).toBe('metadata');
    expect(findAddressProblem('168.63.129.16', ['168.63.129.16/32'])).toBeNull();
    expect(findAddressProblem('10.2.0.1', allowed)).toBe('private');
    expect(findAddressProblem('127.0.0.1', allowed)).toBe('loopback');
  });
});
