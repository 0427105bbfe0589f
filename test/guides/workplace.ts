import { spawn } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Product } from '../support/product.ts';
import { collectOutput } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { RequestLanguage } from '../../web/request-snippets.mjs';
import type { Snippet } from './snippets.ts';

const MARK = '--- end of snippet ---';
const PROGRAMS = {
  typescript: { file: 'guide.mjs', program: [process.execPath], mark: `console.log('${MARK}');` },
  python: { file: 'guide.py', program: ['python3'], mark: `print("${MARK}")` },
  curl: { file: 'guide.sh', program: ['bash', '-e', '-o', 'pipefail'], mark: `echo '${MARK}'` },
} as const;
const TIMEOUT_MS = 200_000;

/** A folder in which the commands of a guide run as they do for a reader who ran `npm start`. */
export interface Workplace {
  path: string;
  /**
   * Replaces the address and the admin email in a text of a guide by the address and email of the
   * tested product.
   */
  localized: (text: string) => string;
  /** Runs shell code and returns its output. Variables and functions persist between calls. */
  shell: (code: string) => Promise<string>;
  /** Runs snippets of a language as one program and returns the output of each. */
  runAll: (snippets: readonly Snippet[], language: RequestLanguage) => Promise<string[]>;
  /** Runs a program and returns its output. Rejects if the program fails. */
  run: (command: string, args: string[], options?: { cwd?: string }) => Promise<string>;
  /** Kills all programs, including those in the background, and removes the folder. */
  close: () => Promise<void>;
}

/** `users`: a word for the emails of users, which are unique in a deployment. */
export async function workplace(
  product: Product,
  variables: Record<string, string>,
  { users = '' } = {},
): Promise<Workplace> {
  const folder = await temporaryFolder('parlance-guide-');
  const env = { ...process.env, XDG_CONFIG_HOME: join(folder.path, 'config'), ...variables };
  const groups: number[] = [];
  await symlink(resolve('node_modules'), join(folder.path, 'node_modules'));
  await mkdir(join(folder.path, 'data'));
  await writeFile(join(folder.path, 'data/admin-password'), product.login.password);
  await writeFile(join(folder.path, 'invoice.pdf'), '%PDF-1.4\n%%EOF\n');

  function run(command: string, args: string[], { cwd = folder.path } = {}): Promise<string> {
    // A separate process group, so that `close` also ends programs in the background.
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    if (child.pid) groups.push(child.pid);
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
    child.once('exit', () => clearTimeout(timer));
    return collectOutput(child, { told: command, until: 'exit' });
  }

  const localized = (text: string) =>
    text
      .replaceAll('http://localhost:3000', product.origin)
      .replaceAll('http://localhost:4000', `http://localhost:${variables['BOT_PORT'] ?? 4000}`)
      .replaceAll('admin@parlance.local', product.login.email)
      .replaceAll(/@(?=[\w.]+\.example\.com)/g, users === '' ? '@' : `@${users}.`);

  return {
    path: folder.path,
    localized,
    run,
    shell: (code) => {
      const keep = 'declare -p > .state 2>/dev/null; declare -f >> .state';
      return run('bash', ['-c', `source ./.state 2>/dev/null; set -e\n${localized(code)}\n${keep}`]);
    },
    async runAll(snippets, language) {
      const { file, program, mark } = PROGRAMS[language];
      const code = snippets.map((one) => `${localized(one.code)}\n${mark}\n`).join('');
      await writeFile(join(folder.path, file), code);
      const [command, ...args] = program;
      return (await run(command, [...args, file])).split(`${MARK}\n`);
    },
    async close() {
      for (const group of groups) {
        try {
          process.kill(-group, 'SIGKILL');
        } catch {
          // The group has already ended.
        }
      }
      await folder.remove();
    },
  };
}
