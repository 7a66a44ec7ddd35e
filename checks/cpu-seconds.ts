import { readFileSync } from 'node:fs';

/** Clock ticks per second in /proc, on every Linux. */
const ticksPerSecond = 100;

/** CPU time of this process and, on Linux, of those of its descendants that have ended. */
export function cpuSeconds(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // proc(5): utime, stime, cutime and cstime are the fields 14 to 17; a space or bracket may be in the second one
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
}
