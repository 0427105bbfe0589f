/**
 * How many milliseconds of computing time this process has used so far: other programs on a busy
 * machine do not count.
 */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
