import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './fetched.ts';

/**
 * Creates an authority and its certificate for localhost in `folder`: authority.pem,
 * certificate.pem and key.pem. OpenSSL and LibreSSL know the commands.
 */
export async function generateCertificates(folder: string): Promise<Record<'key' | 'cert' | 'ca', string>> {
  const openssl = (words: string) => run('openssl', words.split(' '), { cwd: folder });
  await writeFile(
    join(folder, 'openssl.cnf'),
    [
      ...['[req]', 'distinguished_name = name', 'prompt = no', '[name]', 'commonName = localhost'],
      ...['[authority]', 'basicConstraints = critical,CA:TRUE'],
      ...['[server]', 'subjectAltName = DNS:localhost,IP:127.0.0.1'],
    ].join('\n'),
  );
  for (const name of ['authority-key', 'key'])
    await openssl(`ecparam -name prime256v1 -genkey -noout -out ${name}.pem`);
  const request = 'req -new -config openssl.cnf -sha256';
  await openssl(
    `${request} -x509 -days 2 -subj /CN=authority -extensions authority -key authority-key.pem -out authority.pem`,
  );
  await openssl(`${request} -key key.pem -out request.pem`);
  await openssl(
    'x509 -req -days 2 -sha256 -in request.pem -CA authority.pem -CAkey authority-key.pem -set_serial 2 -extfile openssl.cnf -extensions server -out certificate.pem',
  );
  const read = (name: string) => readFile(join(folder, `${name}.pem`), 'utf8');
  return { key: await read('key'), cert: await read('certificate'), ca: await read('authority') };
}
