import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, link, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { ConfinementMeasure } from '@platen/contract/confinement';
import { makeGrid, writeGtx } from '@platen/formats/geoid/testing-grids';
import { startJobProcess } from './job-process.ts';

/** Only what Node denies, as on a machine that allows no measure. */
const none = { measures: new Set<ConfinementMeasure>(), newUser: () => undefined, command: () => [] };

for (const [how, confinement] of [
  ['by what Node denies', none],
  ['with all rights taken away', undefined],
] as const)
  test(`the process of a job reads its inputs, writes its own folders, and can do nothing else, ${how}`, async (t) => {
    const server = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
    const local = createServer();
    t.after(() => [server, local].forEach((each) => each.close()));
    const scratchFolder = await realpath(await mkdtemp(join(tmpdir(), 'platen-probe-')));
    t.after(() => rm(scratchFolder, { recursive: true, force: true }));
    const secretFile = join(scratchFolder, 'secret');
    await writeFile(secretFile, 'of another job');
    await once(local.listen(`${secretFile}.socket`), 'listening');
    const program = join(import.meta.dirname, 'testing-probe.ts');
    const geoidFolder = await realpath(await mkdtemp(join(tmpdir(), 'platen-geoids-')));
    t.after(() => rm(geoidFolder, { recursive: true, force: true }));
    await chmod(geoidFolder, 0o755); // the process may have a user of its own
    await writeFile(join(geoidFolder, 'g2018u0.gtx'), writeGtx(makeGrid(() => -33)));
    const child = await startJobProcess({
      geoidFolder,
      scratchFolder,
      memoryMegabytes: 256,
      program,
      ...(confinement && { confinement }),
    });
    t.after(() => child.end());
    const stored = join(scratchFolder, 'stored');
    const database = new DatabaseSync(stored);
    database.exec('create table a (b)');
    database.close();
    const before = await readFile(stored);
    const path = join(child.folders.inputs, 'a.gpkg');
    await link(stored, path);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    assert.equal(await (await fetch(url)).text(), 'hello');
    const start = {
      name: 'Probe',
      options: { url, secretFile },
      inputs: [{ path, name: 'a.gpkg', size: before.length }],
      outputFolder: child.folders.output,
      scratchFolder: child.folders.scratch,
      readsRanges: false,
      isVerbose: false,
    };
    const { datasource } = await child.run(start, () => {}, new AbortController().signal);
    assert.deepEqual(datasource?.properties, {
      able: [
        'readsInput',
        'writesOutput',
        'writesScratch',
        'readsGeoids',
        'queriesInput',
        'makesDatabase',
        'collectsGarbage',
        'shrinksPicture',
      ],
      environment: ['MALLOC_ARENA_MAX', 'TMPDIR', 'VIPS_BLOCK_UNTRUSTED', 'VIPSHOME'], // the last by libvips itself
    });
    assert.deepEqual(await readFile(stored), before);
    assert.deepEqual(
      (await readdir(scratchFolder)).toSorted(),
      [basename(dirname(child.folders.inputs)), 'secret', 'secret.socket', 'stored'].toSorted(),
    );
  });
