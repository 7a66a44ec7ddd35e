import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../server/testing.ts';
import { afterFile } from '../checks/clean-up.ts';

/** A folder of its own, removed after the tests of the file. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-cli-'));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A service that listens, and the environment of someone who uses it as its administrator. */
export async function startListening() {
  const service = await startService();
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
  const folder = await emptyFolder();
  const env = { PLATEN_URL: url, PLATEN_TOKEN: service.adminToken, XDG_CONFIG_HOME: folder };
  return { service, url, env, folder };
}
