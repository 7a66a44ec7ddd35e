import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../../testing.ts';
import { addApp, listAll, projectForBundles, publishing, readFile } from './testing.ts';

const service = await startService();
const params = await projectForBundles(service);

test('a bundle has the tools of its app with their licences, and no others', async () => {
  const appId = await addApp(service, params, [{ maps: [{ type: 'CesiumMap', name: 'globe' }] }]);
  const body = { tools: ['search' as const, 'print' as const, 'shadow' as const] };
  await service.admin.putProjectApp({ params: { ...params, appId }, body });
  const held = await publishing(service, params, { jobType: 'PublishApp', appId });
  const paths = (await listAll(held)).map(({ path }) => path);
  const config = (
    await readFile(
      held,
      paths.find((path) => path.startsWith('app-'))!,
    )
  ).toString();
  const scripts = paths.filter((path) => /\/plugins\/tools\/\w+@[\d.]+\/index\.js$/.test(path));
  assert.deepEqual(
    scripts.map((path) => /(\w+)@/.exec(path)![1]),
    ['shadow', 'print'],
  );
  for (const script of scripts) {
    assert.ok(config.includes(`"entry":"${script}"`), script);
    assert.match((await readFile(held, script)).toString(), /\bexport\b/);
  }
  const places = paths.find((path) => /^engines\/platen\/places-[\da-f]+\.json$/.test(path));
  assert.ok(config.includes(places!.replace('engines/platen/', '')));
  const { places: towns } = JSON.parse((await readFile(held, places!)).toString()) as { places: string };
  assert.ok(towns.startsWith('Shanghai\t'));
  const licences = (await readFile(held, 'licences.txt')).toString();
  for (const name of ['@vcmap/ui', '@vcmap/shadow', '@vcmap/print']) assert.ok(licences.includes(name), name);
  assert.ok(!licences.includes('@vcmap/draw'));
  assert.equal(licences.match(/Permission is hereby granted/g)?.length, 3);
});

test('a bundle has the picture of its app, which lies over the map until that is drawn', async () => {
  const appId = await addApp(service, params, [{ maps: [{ type: 'CesiumMap', name: 'globe' }] }]);
  const held = await publishing(service, params, { jobType: 'PublishApp', appId });
  const page = (await readFile(held, 'index.html')).toString();
  assert.match(page, /<div id="poster"[^>]*><img src="\.\.\/\.\.\/preview\.png"/);
  const picture = await readFile(held, 'preview.png');
  assert.deepEqual([picture.toString('latin1', 1, 4), picture.readUInt32BE(16)], ['PNG', 1200]);
});
