/**
 * Returns a function that gives the milliseconds of CPU time used since; other load on the machine does not affect it.
 */
export function cpuTime(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
}
