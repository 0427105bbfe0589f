import { mkdir, writeFile } from 'node:fs/promises';

/** Writes the output of processes to `build-output/<name>.log`, to be read after a failure. */
export async function keepLog(name: string, text: string): Promise<void> {
  await mkdir('build-output', { recursive: true });
  await writeFile(`build-output/${name}.log`, text);
}
