import { readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';

/** The rights of this process as the kernel sees them; without Linux, only some of them are known. */
export async function readRights() {
  const [status, limits] = await Promise.all([read('status'), read('limits')]);
  const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1];
  const sets = ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'].map(field);
  return {
    ...(process.getuid && { userId: process.getuid() }),
    ...(status !== '' && {
      hasNoCapabilities: sets.every((set) => set !== undefined && /^0+$/.test(set)),
      canGainNoPrivileges: field('NoNewPrivs') === '1',
    }),
    ...(limits !== '' && { leavesNoCoreDump: /^Max core file size\s+0\s+0\s/m.test(limits) }),
    networkInterfaces: Object.keys(networkInterfaces()).length,
  };
}

function read(name: 'status' | 'limits'): Promise<string> {
  return readFile(`/proc/self/${name}`, 'utf8').catch(() => '');
}
