import { mkdir, writeFile } from 'node:fs/promises';

/**
 * Keeps what processes printed where a person can read it after a failure:
 * `build-output/<name>.log`.
 */
export async function keepLog(name: string, text: string): Promise<void> {
  await mkdir('build-output', { recursive: true });
  await writeFile(`build-output/${name}.log`, text);
}
