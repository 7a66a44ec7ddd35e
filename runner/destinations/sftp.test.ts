import { before } from 'node:test';
import { destinationConformance } from './conformance.ts';
import { openSftp } from './sftp.ts';
import { never, newFolder, onDisk, openAccess } from './testing.ts';
import { startSshd, whyNoSshd, type Sshd } from './testing-sshd.ts';
import { afterFile } from '../../checks/clean-up.ts';

const skip = whyNoSshd();
let sshd: Sshd;
before(async () => {
  if (!skip) sshd = await startSshd();
});
afterFile(() => sshd?.stop());

destinationConformance(
  'sftp',
  async (cleanUp) => {
    const base = await newFolder(cleanUp);
    const target = sshd.target({ folder: `${base}/maps/town` });
    const open = async (signal = never()) => {
      const destination = await openSftp(target, {
        egressPolicy: openAccess,
        signal,
        onUnknownHost: () => {},
      });
      cleanUp(() => destination.close());
      return destination;
    };
    return { ...onDisk(`${base}/maps/town`), destination: await open(), again: open };
  },
  { skip },
);
