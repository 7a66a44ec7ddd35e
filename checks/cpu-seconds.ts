import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second in /proc, on every Linux. */
const ticksPerSecond = 100;

interface ProcessTimes {
  readonly pid: number;
  readonly parent: number;
  /** Of the process and of its children that have ended. */
  readonly ticks: number;
}

/**
 * CPU time of this process and, on Linux, of all that it has started and that these have started, ended or not, such as
 * a browser that several test files share.
 */
export function cpuSeconds(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
  const running = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(timesOf);
  const children = Map.groupBy(running, ({ parent }) => parent);
  const ticksOf = ({ pid, ticks }: ProcessTimes): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + ticksOf(child), ticks);
  return timesOf('self').reduce((sum, self) => sum + ticksOf(self), 0) / ticksPerSecond;
}

/** Nothing if the process has ended. */
function timesOf(pid: string): ProcessTimes[] {
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return [];
  }
  // proc(5): the fields 1, 4 and 14 to 17, of which the second one may hold spaces and brackets
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, count) => sum + Number(count), 0);
  return [{ pid: Number.parseInt(stat, 10), parent: Number(fields[1]), ticks }];
}
