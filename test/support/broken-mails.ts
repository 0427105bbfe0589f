/** Mails that are malformed, or large in an unusual way. Each differs from the others. */
export function listBrokenMails(): (string | Buffer)[] {
  const head = 'From: Broken <broken@sender.example>\r\nSubject: Broken\r\n';
  const mixed = `${head}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n`;
  const part = (type: string, body: string) => `--b\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`;
  const nested = (depth: number) => {
    const open = Array.from(
      { length: depth },
      (_, at) => `Content-Type: multipart/mixed; boundary="n${at}"\r\n\r\n--n${at}\r\n`,
    );
    return `${head}${open.join('')}Content-Type: text/plain\r\n\r\ndeep\r\n`;
  };
  const types = [
    'text/plain; charset=nonsense',
    'text/plain; charset=',
    'text/html; charset="utf-7"',
    '/',
    'a/b/c; =',
    ';;;',
  ];
  const encodings = ['base64', 'quoted-printable', '7bit', 'x-unknown', 'uuencode', ''];
  const odd = [
    '',
    '\r\n',
    '\0\0\0',
    'no headers at all',
    ':\r\n:\r\n\r\n',
    'From\r\n\r\nx',
    `${head}\r\n`,
    head,
    '\r\n\r\nonly a body',
  ];
  return [
    ...odd.map((raw) => (raw === '' ? ' ' : raw)),
    ...types.map((type) => `${head}Content-Type: ${type}\r\n\r\nbody \xe9\r\n`),
    ...encodings.map(
      (encoding) => `${head}Content-Transfer-Encoding: ${encoding}\r\n\r\n=ZZ=\r\n====\r\n%%%\r\n`,
    ),
    ...['', '=?', '=?utf-8?B?', '=?utf-8?Q?=ZZ?=', '=?x?x?x?=', `=?utf-8?B?${'A'.repeat(5_000)}`].map(
      (subject) => `From: broken@sender.example\r\nSubject: ${subject}\r\n\r\nx\r\n`,
    ),
    ...['', '<', '<>', '@', 'a@', '@b', '"a" <a@b', 'a@b, c@d', 'group: a@b;', `${'a'.repeat(5_000)}@b`].map(
      (from) => `From: ${from}\r\n\r\nx\r\n`,
    ),
    mixed,
    `${mixed}--b--\r\n`,
    `${mixed}${part('text/plain', 'no end')}`,
    `${mixed}${part('message/rfc822', 'Subject: inner\r\n\r\ninner')}--b--\r\n`,
    `${mixed}${part('text/plain; name="../../etc/passwd"', 'x')}--b--\r\n`,
    `${mixed}${part('text/plain', 'x').repeat(5_000)}--b--\r\n`,
    `${head}Content-Type: multipart/mixed; boundary=\r\n\r\n--\r\n--\r\n`,
    nested(100),
    nested(1_000),
    `${head}\r\n${'\r\n'.repeat(30_000)}end\r\n`,
    `${head}\r\n${'> '.repeat(100_000)}\r\n`,
    `${head}${'X-Many: header\r\n'.repeat(20_000)}\r\nx\r\n`,
    `${head}X-Long: ${'a'.repeat(900_000)}\r\n\r\nx\r\n`,
    `${head}Content-Type: text/html\r\n\r\n${'<div>'.repeat(20_000)}x\r\n`,
    `${head}Content-Type: text/html\r\n\r\n<style>${'a{}'.repeat(100_000)}\r\n`,
    Buffer.concat([
      Buffer.from(`${head}\r\n`),
      Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7) % 256)),
    ]),
  ];
}
