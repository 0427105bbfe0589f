import { createHash, createPublicKey, verify } from 'node:crypto';

/**
 * Returns whether the DKIM signature of a mail is right (RFC 6376, relaxed canonicalization).
 * `records`: values of the DNS records by name.
 */
export function isSignedMail(raw: Buffer, records: Readonly<Record<string, string>>): boolean {
  const text = raw.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const headers = text.slice(0, end).split(/\r\n(?![ \t])/);
  const signature = headers.find((line) => /^dkim-signature:/i.test(line));
  if (signature === undefined) return false;
  const tags = readTags(signature.slice(signature.indexOf(':') + 1));
  const record = readTags(records[`${tags.get('s')}._domainkey.${tags.get('d')}`] ?? '');
  const bodyHash = createHash('sha256')
    .update(relaxBody(text.slice(end + 4)), 'latin1')
    .digest('base64');
  if (tags.get('c') !== 'relaxed/relaxed' || bodyHash !== tags.get('bh') || !record.has('p')) return false;
  const signed = (tags.get('h') ?? '').split(':').map((name) => {
    const line = headers.findLast((one) => one.toLowerCase().startsWith(`${name}:`));
    return line === undefined ? '' : `${relaxHeader(line)}\r\n`;
  });
  const own = relaxHeader(signature.replace(/([;\s]b=)[^;]*/, '$1'));
  const key = createPublicKey({
    key: Buffer.from(record.get('p') ?? '', 'base64'),
    ...{ format: 'der', type: 'spki' },
  });
  const bytes = Buffer.from(`${signed.join('')}${own}`, 'latin1');
  return verify('sha256', bytes, key, Buffer.from(tags.get('b') ?? '', 'base64'));
}

function readTags(text: string): Map<string, string> {
  return new Map(
    text.split(';').map((tag): [string, string] => {
      const at = tag.indexOf('=');
      return [tag.slice(0, at).trim(), tag.slice(at + 1).replace(/\s/g, '')];
    }),
  );
}

function relaxHeader(line: string): string {
  const at = line.indexOf(':');
  const value = line.slice(at + 1).replace(/\r\n/g, '');
  return `${line.slice(0, at).trim().toLowerCase()}:${value.replace(/[ \t]+/g, ' ').trim()}`;
}

function relaxBody(body: string): string {
  const lines = body.split('\r\n').map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''));
  const text = lines.join('\r\n').replace(/(\r\n)+$/, '');
  return text === '' ? '' : `${text}\r\n`;
}
