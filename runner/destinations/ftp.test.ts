import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEgressPolicy } from '@platen/egress/policy';
import { destinationConformance } from './conformance.ts';
import { openFtp } from './ftp.ts';
import type { FtpTarget } from './ftp-lines.ts';
import { never, newFolder, onDisk, openAccess } from './testing.ts';
import { startFtpServer } from './testing-ftp-server.ts';

const login = { user: 'map maker', password: 'a password' };

function targetAt(port: number, change: Partial<FtpTarget> = {}): FtpTarget {
  const { user: username, password } = login;
  return {
    type: 'ftp',
    host: '127.0.0.1',
    port,
    username,
    password,
    isSecure: false,
    folder: 'maps/town',
    ...change,
  };
}

const opening = { egressPolicy: openAccess, signal: never(), atOnce: 4 };

destinationConformance('ftp', async (after) => {
  const folder = await newFolder(after);
  const server = await startFtpServer(folder, login);
  after(() => server.stop());
  const open = async (signal = never()) => {
    const destination = await openFtp(targetAt(server.port), { ...opening, signal });
    after(() => destination.close());
    return destination;
  };
  return { ...onDisk(`${folder}/maps/town`), destination: await open(), again: open };
});

test('ftp: wrong logins, servers without required TLS, private addresses and bad folders have different errors', async (t) => {
  const folder = await newFolder((cleanUp) => t.after(cleanUp));
  const server = await startFtpServer(folder, login);
  t.after(() => server.stop());
  const fails = async (change: Partial<FtpTarget>, code: string) => {
    await assert.rejects(
      openFtp(targetAt(server.port, change), opening),
      (error: Error & { code: string }) => {
        assert.equal(error.code, code, error.message);
        assert.ok(!error.message.includes('sesame'));
        return true;
      },
    );
  };
  await fails({ password: 'open sesame' }, 'destinationRefused');
  await fails({ isSecure: true }, 'destinationRefused');
  await fails({ port: 1 }, 'cannotReachDestination');
  await fails({ folder: 'a/../b' }, 'badDestination');
  await fails({ folder: 'a\r\nDELE x' }, 'badDestination');
  const closed = { ...opening, egressPolicy: parseEgressPolicy('') };
  await assert.rejects(openFtp(targetAt(server.port), closed), { code: 'privateAddress' });
});
