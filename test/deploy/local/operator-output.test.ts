import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readStartConfig } from '../../../platform/config/processes.ts';
import { banner } from '../../../deploy/local/product.ts';
import { createOutput } from '../../../deploy/local/output.ts';
import { firstAdmin, loadSecret } from '../../../deploy/local/secrets.ts';
import { testFolder } from './support/folder.ts';

describe("the operator's output", () => {
  test("the operator's output has an aligned name before each line, coloured on request only", () => {
    const out = new PassThrough();
    const { label } = createOutput(out);
    label('api')('hello');
    label('temporal')('there');
    label('api')('');
    createOutput(out, { isColoured: true }).label('api')('!');
    expect(String(out.read())).toBe('api      hello\ntemporal there\n\u001b[33mapi     \u001b[39m !\n');
  });

  test("the operator's output shows JSON lines as text if asked, and otherwise unchanged and without a name, for log collectors", () => {
    const line = '{"level":30,"name":"api","port":3000,"msg":"listening"}';
    const out = new PassThrough();
    createOutput(out).label('api')(line);
    createOutput(out, { isText: () => true }).label('api')(line);
    expect(String(out.read())).toBe(`${line}\napi      info  listening port=3000\n`);
  });

  test("the operator's output replaces progress on a terminal, and prints each line of it elsewhere", () => {
    const terminal = Object.assign(new PassThrough(), { columns: 20 });
    const shown = createOutput(terminal, { isTerminal: true });
    shown.progress('downloaded 1 MB of many');
    shown.progress('downloaded 2 MB of many');
    shown.label('parlance')('done');
    const clear = '\r\u001b[K';
    expect(String(terminal.read())).toBe(
      `parlance downloaded${clear}parlance downloaded${clear}parlance done\n`,
    );
    const file = new PassThrough();
    const { progress, print } = createOutput(file);
    progress('downloaded 1 MB');
    print(['', 'ready']);
    expect(String(file.read())).toBe('parlance downloaded 1 MB\n\nready\n');
  });

  test('the generated password is shown only if the admin was created with it, and is kept in the file that the examples read', async () => {
    const folder = testFolder();
    const config = readStartConfig({ DATA_DIR: folder });
    const file = join(folder, 'admin-password');
    const fresh = await firstAdmin(config);
    // The password is stored before the admin is created, so that an interrupted start does not
    // lose the password.
    expect(readFileSync(file, 'utf8')).toBe(fresh.password);
    expect(fresh.password).toMatch(/^[a-z2-9]{20}$/);
    const again = await firstAdmin(config);
    expect(again.password).toBe(fresh.password);
    again.onMessage({ type: 'bootstrap', email: 'admin@parlance.local', created: true });
    again.onMessage({ type: 'bootstrap', email: 'admin@parlance.local', created: false });
    expect(await again.passwordToShow()).toBe(fresh.password);
  });

  test('no password file is left if the admin already exists or has a configured password', async () => {
    const folder = testFolder();
    const later = await firstAdmin(readStartConfig({ DATA_DIR: folder }));
    later.onMessage({ type: 'bootstrap', email: 'admin@parlance.local', created: false });
    expect(await later.passwordToShow()).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);

    const given = await firstAdmin(
      readStartConfig({ DATA_DIR: folder, BOOTSTRAP_ADMIN_PASSWORD: 'correct horse' }),
    );
    given.onMessage({ type: 'bootstrap', email: 'admin@parlance.local', created: true });
    expect(given.password).toBe('correct horse');
    expect(await given.passwordToShow()).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("the operator's output has a banner with the addresses, the admin and the engines", () => {
    const facts = {
      publicUrl: 'http://localhost:3000',
      temporalUiUrl: 'http://127.0.0.1:8233',
      adminEmail: 'admin@parlance.local',
      temporal: '1.9.1, from cache',
      temporalCommand: '/cache/temporal --address 127.0.0.1:7233',
      store: 'MongoDB 8.2.6, from PATH',
      node: '24.1.0',
      startedInMs: 4321,
    };
    const text = banner(facts).join('\n');
    expect(text).toMatch(/ready after 4\.3 s/);
    for (const shown of [
      'Begin here   http://localhost:3000\n',
      'http://localhost:3000/console',
      'http://localhost:3000/v2',
      'http://localhost:3000/docs',
      ...Object.values(facts).slice(1, 6),
    ]) {
      expect(text).toContain(shown);
    }
    expect(text).not.toContain('Password');
    expect(banner({ ...facts, generatedPassword: 'abc' }).join('\n')).toMatch(
      /Password +abc +\(shown this once\)/,
    );
  });

  test("the operator's output has a hint about a faster Node on an older Node only", () => {
    const facts = {
      publicUrl: '',
      adminEmail: '',
      temporal: '',
      temporalCommand: '',
      store: '',
      startedInMs: 0,
    };
    expect(banner({ ...facts, node: '20.20.2' }).join('\n')).toContain('20.20.2; with 24 or newer');
    expect(banner({ ...facts, node: '24.0.0' }).join('\n')).not.toContain('Node');
    expect(banner({ ...facts, node: '100.1.0' }).join('\n')).not.toContain('Node');
  });

  test('the generated secret is readable by this user only', async () => {
    const folder = testFolder();
    const secret = await loadSecret(folder);
    expect(Buffer.byteLength(secret)).toBeGreaterThanOrEqual(32);
    expect(await loadSecret(folder)).toBe(secret);
    expect(statSync(join(folder, 'auth-secret')).mode & 0o777).toBe(0o600);
  });
});
