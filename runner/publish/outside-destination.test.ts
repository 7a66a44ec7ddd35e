import assert from 'node:assert/strict';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { onDisk } from '../destinations/testing.ts';
import { file, run } from './testing.ts';
import { setUp } from './testing-bundle.ts';

test('bundle paths outside the destination, or in its .platen folder, are refused', async (t) => {
  const { service, publishFolder, all } = await setUp(t);
  const bundle = service.files;
  for (const path of [
    '../x',
    'a/../../x',
    '/etc/x',
    'a//b',
    './a',
    'a\\b',
    'a\0b',
    '.platen/manifest.json',
    '.platen',
    '',
    'a/',
  ]) {
    service.files = new Map([...bundle, [path, file('x')]]);
    await run(service, { publishFolder });
    assert.equal(service.heard.end?.how, 'fail', path);
    assert.equal(service.heard.end.body['code'], 'badName', path);
  }
  assert.deepEqual(await all(), []);
});

test('symbolic links out of the destination are not followed, and their targets stay untouched', async (t) => {
  const { service, site, publishFolder, publish } = await setUp(t);
  await publish();
  await rm(join(site, 'data'), { recursive: true });
  const outside = join(publishFolder, 'outside');
  const { place, everything } = onDisk(outside);
  await place('a.geojson', Buffer.alloc(5000));
  await symlink(outside, join(site, 'data'));
  service.files.delete('data/b.pmtiles');
  service.files.set('data/new.txt', file('new'));
  await run(service, { publishFolder });
  assert.equal(service.heard.end?.how, 'fail');
  assert.equal(service.heard.end.body['code'], 'badDestination');
  assert.deepEqual(await everything(), ['a.geojson']);
});

test('a runner publishes only below the folder that its operator named, and through no link out of it', async (t) => {
  const { service, publishFolder } = await setUp(t);
  const codeFor = async (folder: string, base: string | undefined) => {
    service.target = { type: 'fs', folder };
    await run(service, { publishFolder: base });
    assert.equal(service.heard.end?.body['isTransient'], false);
    return service.heard.end.body['code'];
  };
  await symlink('/tmp', join(publishFolder, 'link'));
  assert.equal(await codeFor('site', undefined), 'badDestination');
  assert.equal(await codeFor('../elsewhere', publishFolder), 'badDestination');
  assert.equal(await codeFor('/tmp', publishFolder), 'badDestination');
  assert.equal(await codeFor('link/x', publishFolder), 'badDestination');
  assert.equal(await codeFor('site', join(publishFolder, 'missing')), 'destinationRefused');
  assert.equal(await codeFor('site', '/sys'), 'destinationRefused');
});
