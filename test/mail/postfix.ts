import { chmod, chown, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../deploy/local/ports.ts';
import { run } from '../support/fetched.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The domain whose mailboxes Postfix keeps. */
export const WORLD = 'world.example';
/** The domain of the channel's address. Its mail is forwarded to the channel. */
export const OURS = 'our.example';

export interface Routes {
  /** Ports of mail servers by domain, with their protocol. */
  transports: Readonly<Record<string, { protocol: 'smtp' | 'lmtp'; port: number }>>;
  /** Addresses of `OURS`, and where their mail goes. */
  aliases: Readonly<Record<string, string>>;
}

export interface Postfix {
  port: number;
  folder: string;
  /** Replaces all routes. */
  route: (routes: Routes) => Promise<void>;
  /** Returns the mails of a mailbox of `WORLD`, the oldest first. */
  readMailbox: (user: string) => Promise<Buffer[]>;
  readLog: () => Promise<string>;
  stop: () => Promise<void>;
}

export const execute = (program: string, args: readonly string[]) => run(program, args, { cwd: '/' });

/** A mail server with the mailboxes `users`. Retries deferred mail each second. */
export async function startPostfix(users: readonly string[]): Promise<Postfix> {
  const { path: folder, remove } = await temporaryFolder('parlance-postfix-');
  const port = await freePort();
  // Postfix's processes run as another user.
  await chmod(folder, 0o755);
  const [uid, gid] = (await Promise.all(['-u', '-g'].map((flag) => execute('id', [flag, 'postfix'])))).map(
    Number,
  );
  for (const name of ['queue', 'data', 'mail', 'log']) await mkdir(join(folder, name));
  await chown(join(folder, 'data'), uid ?? 0, gid ?? 0);
  await chown(join(folder, 'mail'), uid ?? 0, gid ?? 0);
  const write = (name: string, lines: readonly string[]) =>
    writeFile(join(folder, name), `${lines.join('\n')}\n`);
  await write('main.cf', mainConfig(folder, { uid, gid }));
  await write('master.cf', masterConfig(port));
  await write(
    'mailboxes',
    users.map((user) => `${user}@${WORLD} ${user}/`),
  );
  for (const name of ['transport', 'aliases']) await write(name, []);
  const postfix = (command: string) => execute('postfix', ['-c', folder, command]);
  await postfix('start');
  return {
    port,
    folder,
    async route({ transports, aliases }) {
      const routes = Object.entries(transports);
      await write(
        'transport',
        routes.map(([domain, { protocol, port: to }]) => `${domain} ${protocol}:[127.0.0.1]:${to}`),
      );
      await write(
        'aliases',
        Object.entries(aliases).map(([from, to]) => `${from}@${OURS} ${to}`),
      );
      await postfix('reload');
    },
    async readMailbox(user) {
      const mailbox = join(folder, 'mail', user);
      const list = (part: string) =>
        readdir(join(mailbox, part)).then(
          (names) => names.map((name) => ({ name, path: join(mailbox, part, name) })),
          () => [],
        );
      const found = (await Promise.all(['new', 'cur'].map(list))).flat();
      // Names begin with the time.
      const sorted = found.sort((a, b) => (a.name < b.name ? -1 : 1));
      return Promise.all(sorted.map(({ path }) => readFile(path)));
    },
    readLog: () => readFile(join(folder, 'log', 'mail.log'), 'utf8').catch(() => ''),
    async stop() {
      await postfix('stop').catch(() => undefined);
      await remove();
    },
  };
}

function mainConfig(folder: string, { uid, gid }: Record<'uid' | 'gid', number | undefined>): string[] {
  const hash = (name: string) => `texthash:${join(folder, name)}`;
  return [
    'compatibility_level = 3.6',
    `queue_directory = ${folder}/queue`,
    `data_directory = ${folder}/data`,
    `maillog_file = ${folder}/log/mail.log`,
    `maillog_file_prefixes = ${folder}`,
    `myhostname = mx.${WORLD}`,
    'mydestination =',
    'inet_interfaces = 127.0.0.1',
    'inet_protocols = ipv4',
    'mynetworks = 127.0.0.0/8',
    'smtpd_recipient_restrictions = permit_mynetworks, reject',
    'smtp_dns_support_level = disabled',
    'smtp_host_lookup = native',
    `virtual_mailbox_domains = ${WORLD}`,
    `virtual_mailbox_base = ${folder}/mail`,
    `virtual_mailbox_maps = ${hash('mailboxes')}`,
    `virtual_uid_maps = static:${uid}`,
    `virtual_gid_maps = static:${gid}`,
    `virtual_alias_domains = ${OURS}`,
    `virtual_alias_maps = ${hash('aliases')}`,
    'relay_domains = in.example.com',
    `transport_maps = ${hash('transport')}`,
    'lmtp_destination_recipient_limit = 1',
    'relay_destination_recipient_limit = 1',
    'message_size_limit = 40960000',
    'minimal_backoff_time = 1s',
    'maximal_backoff_time = 2s',
    'queue_run_delay = 1s',
  ];
}

/** Name, type, private, unprivileged, chroot, wakeup, maximum of processes, and command. */
function masterConfig(port: number): string[] {
  return [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 1 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    ...['bounce', 'defer', 'trace'].map((name) => `${name} unix - - n - 0 bounce`),
    'verify unix - - n - 1 verify',
    'flush unix n - n 1000 0 flush',
    'proxymap unix - - n - - proxymap',
    ...['smtp', 'relay'].map((name) => `${name} unix - - n - - smtp`),
    'lmtp unix - - n - - lmtp',
    'showq unix n - n - - showq',
    ...['error', 'retry'].map((name) => `${name} unix - - n - - error`),
    'virtual unix - n n - - virtual',
    'anvil unix - - n - 1 anvil',
    'scache unix - - n - 1 scache',
    'tlsmgr unix - - n 1000 1 tlsmgr',
    'postlog unix-dgram n - n - 1 postlogd',
  ];
}
