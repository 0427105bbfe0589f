import { readFile, readdir, readlink } from 'node:fs/promises';

const LISTENING = '0A';

/** Returns `pid` and its descendants. Linux only. */
export async function processTree(pid: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    const [, parent] = /^\d+ \(.*\) \S (\d+)/s.exec(await readText(`/proc/${name}/stat`)) ?? [];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const isBelow = (one: number | undefined): boolean =>
    one !== undefined && (one === pid || isBelow(parents.get(one)));
  return [...parents.keys()].filter(isBelow);
}

/** Returns the TCP ports on which a process listens, without duplicates. Linux only. */
export async function listeningPorts(pid: number): Promise<number[]> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const links = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
  const inodes = new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]));
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readText(`/proc/${pid}/net/${name}`)));
  const rows = tables.flatMap((table) => table.split('\n')).map((row) => row.trim().split(/\s+/));
  const own = rows.filter((row) => row[3] === LISTENING && inodes.has(row[9]));
  return [...new Set(own.map((row) => Number.parseInt(row[1]?.split(':')[1] ?? '', 16)))];
}

/**
 * Returns whether a process listens on a TCP port. Returns true on other systems than Linux, which
 * have no such list.
 */
export async function listensOn(pid: number, port: number | string | undefined): Promise<boolean> {
  return process.platform !== 'linux' || (await listeningPorts(pid)).includes(Number(port));
}

function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
