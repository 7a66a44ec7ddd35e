import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext } from 'node:test';
import { newFolder, onDisk } from '../destinations/testing.ts';
import { run, smallBundle } from './testing.ts';
import { startTestService } from './testing-service.ts';

const own = (path: string) => path.startsWith('.platen/');

/** A service with a small bundle and an empty folder to publish it to. */
export async function setUp(t: TestContext) {
  const publishFolder = await newFolder((cleanUp) => t.after(cleanUp));
  const service = await startTestService({ type: 'fs', folder: 'site' });
  t.after(() => service.stop());
  service.files = smallBundle();
  const site = join(publishFolder, 'site');
  const disk = onDisk(site);
  const look = (path: string) => disk.look(path);
  const place = (path: string, bytes: Uint8Array) => disk.place(path, bytes);
  const all = async () => (await disk.everything()).filter((path) => !own(path));
  const publish = async () => {
    const lines = await run(service, { publishFolder });
    assert.equal(service.heard.end?.how, 'complete', JSON.stringify([service.heard.end, lines]));
    return service.heard.end.body['report'] as Record<string, unknown>;
  };
  const assertAllThere = async () => {
    for (const [path, { bytes }] of service.files) assert.deepEqual(await look(path), bytes, path);
  };
  return { service, publishFolder, site, all, look, place, publish, assertAllThere };
}
