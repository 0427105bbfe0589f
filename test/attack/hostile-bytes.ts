import { deflateSync, gzipSync } from 'node:zlib';

/** Bytes that an attacker writes to an HTTP listener, and the expected responses. */
export interface HostileBytes {
  bytes: string | Buffer;
  /** The status of each response, in order. */
  answers: number[];
}

const HOST = 'Host: x\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const SMUGGLED = 'DELETE /v2/smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
const TOKEN_PATH = 'POST /v2/auth/token HTTP/1.1\r\n';
const CLOSE = 'Connection: close\r\n';

function refused(bytes: string | Buffer, ...answers: number[]): HostileBytes {
  return { bytes, answers };
}

/** Returns a login request with this body, which may be arbitrary bytes. */
export function login(body: string | Buffer, headers = ''): Buffer {
  const bytes = Buffer.from(body);
  const head = `${TOKEN_PATH}${HOST}${CLOSE}${JSON_TYPE}${headers}Content-Length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

function chunkedLogin(body: string, headers = ''): string {
  return `${TOKEN_PATH}${HOST}${JSON_TYPE}${headers}Transfer-Encoding: chunked\r\n\r\n${body}`;
}

const NO_HTTP = {
  'nothing but noise': refused(Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7919) % 256)), 400),
  'a TLS handshake': refused(Buffer.from('1603010200010001fc0303', 'hex'), 400),
  'HTTP/2': refused('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400),
  'a method nobody knows': refused(`HACK /v2/users HTTP/1.1\r\n${HOST}\r\n`, 400),
  'a version nobody knows': refused(`GET / HTTP/9.9\r\n${HOST}\r\n`, 400),
  'a header without a colon': refused(`GET /healthz HTTP/1.1\r\n${HOST}broken\r\n\r\n`, 400),
  'a space before the colon': refused(`GET /healthz HTTP/1.1\r\n${HOST}A : b\r\n\r\n`, 400),
  'a NUL in a header': refused(`GET /healthz HTTP/1.1\r\n${HOST}A: b\0c\r\n\r\n`, 400),
  'a header over two lines': refused(`GET /healthz HTTP/1.1\r\n${HOST}A: b\r\n c\r\n\r\n`, 400),
  'a header that is too long': refused(
    `GET /healthz HTTP/1.1\r\n${HOST}A: ${'b'.repeat(20_000)}\r\n\r\n`,
    431,
  ),
  'too many headers to hold': refused(
    `GET /healthz HTTP/1.1\r\n${HOST}${'aaaa: bbbb\r\n'.repeat(5_000)}\r\n`,
    431,
  ),
  'an address that is too long': refused(`GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`, 431),
  'no Host': refused(`GET /healthz HTTP/1.1\r\n${CLOSE}\r\n`, 400),
  'a tunnel': refused(`CONNECT 127.0.0.1:22 HTTP/1.1\r\n${HOST}\r\n`, 405),
  'an expectation nobody knows': refused(`${TOKEN_PATH}${HOST}Expect: 200-maybe\r\n\r\n`, 417),
  'a path that is no text': refused(`GET /v2/users/%ff%fe HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 401),
  'a path with a NUL': refused(`GET /v2/users/%00 HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 401),
  'a path that climbs': refused(`GET /docs/../../../etc/passwd HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 404),
  'a path of another server': refused(`GET http://169.254.169.254/x HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 404),
};

/**
 * Request smuggling: a proxy and the API must agree where a request ends, so ambiguous requests are
 * rejected and the bytes after them are not read.
 */
const SMUGGLING = {
  'a length and chunks': refused(chunkedLogin(`0\r\n\r\n${SMUGGLED}`, 'Content-Length: 6\r\n'), 400),
  'chunks and a length': refused(
    `${TOKEN_PATH}${HOST}Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    400,
  ),
  'two lengths': refused(
    `${TOKEN_PATH}${HOST}Content-Length: 2\r\nContent-Length: 50\r\n\r\n{}${SMUGGLED}`,
    400,
  ),
  'a negative length': refused(`${TOKEN_PATH}${HOST}Content-Length: -1\r\n\r\n${SMUGGLED}`, 400),
  'a length with a sign': refused(`${TOKEN_PATH}${HOST}Content-Length: +2\r\n\r\n{}${SMUGGLED}`, 400),
  'a length without bounds': refused(`${TOKEN_PATH}${HOST}Content-Length: ${'9'.repeat(30)}\r\n\r\n{}`, 400),
  'another encoding': refused(`${TOKEN_PATH}${HOST}Transfer-Encoding: xchunked\r\n\r\n${SMUGGLED}`, 415),
  'chunks that are not last': refused(
    `${TOKEN_PATH}${HOST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    400,
  ),
  'a vertical tab before chunked': refused(
    `${TOKEN_PATH}${HOST}Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
    400,
  ),
  'a chunk that is no number': refused(chunkedLogin(`ZZ\r\n{}\r\n0\r\n\r\n${SMUGGLED}`), 400),
  'a chunk without bounds': refused(chunkedLogin(`${'F'.repeat(20)}\r\n{}\r\n`), 400),
  'a chunk that is longer than it says': refused(chunkedLogin(`1\r\n{}\r\n0\r\n\r\n${SMUGGLED}`), 400),
  'lines that end with LF alone': refused(chunkedLogin(`2\n{}\n0\n\n${SMUGGLED}`), 400),
  'an endless chunk extension': refused(chunkedLogin(`2;${'a'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`), 400),
};

const BODIES = {
  'a body that is no UTF-8': refused(login(Buffer.from([0x22, 0xff, 0xfe, 0x22])), 400),
  'a body in UTF-16': refused(login(Buffer.from('{"email":"a"}', 'utf16le')), 400),
  'half of a pair': refused(login('{"email":"\\ud800"}'), 400),
  'bytes of half a pair': refused(login(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])), 400),
  'a compressed body': refused(login(gzipSync('{}'), 'Content-Encoding: gzip\r\n'), 415),
  'a body that blows up': refused(
    login(deflateSync(Buffer.alloc(1 << 26)), 'Content-Encoding: deflate\r\n'),
    415,
  ),
  'a body compressed twice': refused(login(gzipSync('{}'), 'Content-Encoding: identity, gzip\r\n'), 415),
  'another type': refused(
    `${TOKEN_PATH}${HOST}${CLOSE}Content-Type: text/xml\r\nContent-Length: 4\r\n\r\n<a/>`,
    415,
  ),
  'a type without end': refused(
    `${TOKEN_PATH}${HOST}${CLOSE}Content-Type: ${'a/b;'.repeat(3_000)}\r\nContent-Length: 2\r\n\r\n{}`,
    415,
  ),
  'no body at all': refused(`${TOKEN_PATH}${HOST}${CLOSE}${JSON_TYPE}\r\n`, 400),
  'a body in crumbs': refused(chunkedLogin(`1\r\n{\r\n${'1\r\n \r\n'.repeat(500_000)}`), 400),
  'a larger body than announced': refused(
    `${TOKEN_PATH}${HOST}${JSON_TYPE}Content-Length: 2\r\n\r\n{}}}}}}\r\n\r\n`,
    400,
    400,
  ),
};

/** Hostile bytes by name. Their responses do not depend on timing. */
export const HOSTILE_BYTES: ReadonlyMap<string, HostileBytes> = new Map(
  Object.entries({ ...NO_HTTP, ...SMUGGLING, ...BODIES }),
);
