import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, isPortFree, waitForListener } from '../../deploy/local/ports.ts';
import { eventually } from './eventually.ts';
import { startProgram } from './program.ts';
import type { Program } from './program.ts';
import { temporaryFolder } from './temporary-folder.ts';

const PROGRAM = ['/usr/sbin/dovecot', '/usr/local/sbin/dovecot', '/opt/homebrew/sbin/dovecot'].find(
  existsSync,
);
const IS_ROOT = process.getuid?.() === 0;
/** Dovecot reads no mail as root. */
const NOBODY = 65_534;
const START_MS = 60_000;

/** Root on Debian can install Dovecot (`.ci/run`), so a test that needs it fails there. */
export const IS_WITHOUT_DOVECOT = PROGRAM === undefined && !(IS_ROOT && existsSync('/etc/debian_version'));

/** Ends the title of tests that need Dovecot. */
export const NEEDS_DOVECOT = IS_WITHOUT_DOVECOT ? ' (skipped: install dovecot-imapd)' : '';

export interface TestMail {
  from: string;
  text: string;
  subject?: string;
  messageId?: string;
  /** When the server got the mail. By default now. */
  receivedAt?: Date;
  /** The server cannot read the file of the mail. */
  isUnreadable?: true;
}

/** An IMAP server with one mailbox, the Maildir of a temporary folder. */
export class Dovecot {
  readonly user = 'support@example.com';
  port = 0;
  #folder = '';
  #mails = 0;
  #program: Program | undefined;

  get url(): string {
    return `imap://127.0.0.1:${this.port}`;
  }

  get #maildir(): string {
    return join(this.#folder, 'mail');
  }

  async start(password: string): Promise<this> {
    if (PROGRAM === undefined) throw new Error('Dovecot is missing: apt-get install dovecot-imapd');
    this.port = await freePort();
    this.#folder = (await temporaryFolder('parlance-dovecot-')).path;
    // Other users enter the folder: the login processes of Dovecot, and the owner of the mails.
    await chmod(this.#folder, 0o755);
    for (const name of ['', 'new', 'cur', 'tmp']) {
      const path = join(this.#maildir, name);
      await mkdir(path, { recursive: true });
      await this.#giveAway(path);
    }
    await writeFile(join(this.#folder, 'dovecot.conf'), this.#configure());
    await this.setPassword(password);
    await this.#run();
    return this;
  }

  /** Logins need the password within a second. */
  async setPassword(password: string): Promise<void> {
    await writeFile(join(this.#folder, 'users'), `${this.user}:{PLAIN}${password}\n`);
  }

  /** Closes all connections. `renumbers`: all mails get other UIDs. */
  async restart({ renumbers = false } = {}): Promise<void> {
    await this.#end();
    if (renumbers) {
      const names = (await readdir(this.#maildir)).filter((name) => name.startsWith('dovecot'));
      for (const name of names) await rm(join(this.#maildir, name), { recursive: true });
    }
    await this.#run();
  }

  async close(): Promise<void> {
    await this.#end();
    await rm(this.#folder, { recursive: true, force: true });
  }

  deliver({ from, text, subject = 'Lamp', messageId, ...more }: TestMail): Promise<void> {
    const id = messageId ?? `<${randomUUID()}@sender.example>`;
    const head = [`From: ${from}`, `To: ${this.user}`, `Subject: ${subject}`, `Message-ID: ${id}`];
    return this.deliverRaw([...head, '', text, ''].join('\r\n'), more);
  }

  async deliverRaw(
    raw: string | Buffer,
    { receivedAt, isUnreadable }: Pick<TestMail, 'receivedAt' | 'isUnreadable'> = {},
  ): Promise<void> {
    this.#mails += 1;
    // Dovecot numbers new mails in the order of these names.
    const name = `${1_700_000_000 + this.#mails}.M${this.#mails}P1.test`;
    const path = join(this.#maildir, 'tmp', name);
    await writeFile(path, raw);
    await this.#giveAway(path);
    if (receivedAt) await utimes(path, receivedAt, receivedAt);
    if (isUnreadable) await chmod(path, 0);
    await rename(path, join(this.#maildir, 'new', name));
  }

  /** Returns the names of the files of the mails, with their flags. */
  async listMails(): Promise<string[]> {
    const found = await Promise.all(['new', 'cur'].map((name) => readdir(join(this.#maildir, name))));
    return found.flat().sort();
  }

  async #run(): Promise<void> {
    const args = ['-F', '-c', join(this.#folder, 'dovecot.conf')];
    const program = startProgram(PROGRAM ?? '', { args, env: process.env });
    this.#program = program;
    const ended = program.ended.then(() => Promise.reject(new Error(program.output())));
    await Promise.race([waitForListener(this.port, AbortSignal.timeout(START_MS)), ended]);
  }

  async #end(): Promise<void> {
    // Sessions would outlive the server.
    const children = await findChildren(this.#program?.pid ?? 0);
    this.#program?.signal('SIGTERM');
    await this.#program?.ended;
    for (const pid of children) endProcess(pid);
    await eventually(() => isPortFree(this.port, '127.0.0.1'));
  }

  async #giveAway(path: string): Promise<void> {
    if (IS_ROOT) await chown(path, NOBODY, NOBODY);
  }

  #configure(): string {
    const { uid, gid } = IS_ROOT
      ? { uid: NOBODY, gid: NOBODY }
      : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    const ownUser = IS_ROOT ? '' : execFileSync('id', ['-un'], { encoding: 'utf8' }).trim();
    const ownGroup = IS_ROOT ? '' : execFileSync('id', ['-gn'], { encoding: 'utf8' }).trim();
    return [
      `base_dir = ${this.#folder}/run`,
      `state_dir = ${this.#folder}/state`,
      'log_path = /dev/stderr',
      'protocols = imap',
      'listen = 127.0.0.1',
      'ssl = no',
      'disable_plaintext_auth = no',
      'auth_failure_delay = 0',
      'mail_max_userip_connections = 200',
      `mail_location = maildir:${this.#maildir}`,
      `first_valid_uid = ${uid}`,
      `passdb {\n driver = passwd-file\n args = ${this.#folder}/users\n}`,
      `userdb {\n driver = static\n args = uid=${uid} gid=${gid} home=${this.#maildir}\n}`,
      `service imap-login {\n inet_listener imap {\n port = ${this.port}\n }\n inet_listener imaps {\n port = 0\n }\n}`,
      // Each wrong password would delay the next login from the same address.
      'service anvil {\n unix_listener anvil-auth-penalty {\n mode = 0\n }\n}',
      ...(IS_ROOT
        ? []
        : [
            `default_internal_user = ${ownUser}`,
            `default_internal_group = ${ownGroup}`,
            `default_login_user = ${ownUser}`,
            'service imap-login {\n chroot =\n}',
            'service anvil {\n chroot =\n}',
          ]),
      '',
    ].join('\n');
  }
}

async function findChildren(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  // The name of a program may contain blanks and brackets.
  const isChild = (stat: string) => stat.slice(stat.lastIndexOf(')')).split(' ')[2] === String(parent);
  return stats.filter(isChild).map((stat) => Number.parseInt(stat, 10));
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
