import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApp } from '../../app.ts';
import { defaultSettings } from '../../base/config.ts';
import { addDatasource, sampleModule } from '../modules/testing.ts';
import { startService } from '../../testing.ts';

const service = await startService();
const { app, context } = service;
const max = await service.user('max');
const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
const { _id: projectId } = await service.admin.postProject({ body, query: { managerId: max.id } });
const params = { projectId };
const module = await max.client.postProjectModule({ params, body: sampleModule });
const hostile = `"><script>alert('1')</script>`;
const create = (fields: object = {}) =>
  max.client.postProjectApp({ params, body: { name: 'Trees', moduleIds: [module._id], ...fields } });
const publish = (appId: string) => max.client.putProjectAppPublic({ params: { projectId, appId } });
const change = (appId: string, fields: object) =>
  max.client.putProjectApp({ params: { projectId, appId }, body: fields });
const visit = (url: string, headers: Record<string, string> = {}, at = app) =>
  at.inject({ url, headers: { accept: 'text/html', host: 'maps.test', ...headers } });
const contentOf = (html: string, key: string) =>
  new RegExp(`<meta (?:name|property)="${key}" content="([^"]*)">`).exec(html)?.[1];

test('a slug is a second address beside the id, and the canonical one until it is removed', async () => {
  const { _id: appId, url } = await create({ slug: 'trees-of-berlin' });
  assert.equal(url, '/app/trees-of-berlin/');
  assert.equal((await visit('/app/trees-of-berlin/')).statusCode, 404);
  await publish(appId);
  const [byId, bySlug] = [await visit(`/app/${appId}/`), await visit('/app/trees-of-berlin/')];
  assert.equal(bySlug.statusCode, 200);
  assert.equal(byId.body, bySlug.body);
  assert.match(byId.body, /<link rel="canonical" href="http:\/\/maps\.test\/app\/trees-of-berlin\/">/);
  const redirect = await visit('/app/trees-of-berlin?state=1');
  assert.deepEqual([redirect.statusCode, redirect.headers.location], [308, '/app/trees-of-berlin/?state=1']);
  const config = await visit('/app/trees-of-berlin/app.config.json');
  assert.equal(config.body, (await visit(`/app/${appId}/app.config.json`)).body);
  const kept = await change(appId, { name: 'Trees of Berlin' });
  assert.equal(kept.slug, 'trees-of-berlin');
  const without = await change(appId, { slug: null });
  assert.equal('slug' in without, false);
  assert.equal(without.url, `/app/${appId}/`);
  assert.equal((await visit('/app/trees-of-berlin/')).statusCode, 404);
  assert.equal((await visit(`/app/${appId}/`)).statusCode, 200);
});

test('an app created without a slug gets that of its name, numbered if it is taken, and keeps it', async () => {
  const named = (fields: object = {}) => create({ name: 'Bäume & Parks', ...fields });
  const [first, second] = await Promise.all([named(), named()]);
  assert.deepEqual(new Set([first.slug, second.slug]), new Set(['baeume-parks', 'baeume-parks-2']));
  const third = await named();
  assert.deepEqual([third.slug, third.url], ['baeume-parks-3', '/app/baeume-parks-3/']);
  assert.equal((await change(third._id, { name: 'Trees' })).slug, 'baeume-parks-3');
  const without = await named({ slug: null });
  assert.deepEqual(['slug' in without, without.url], [false, `/app/${without._id}/`]);
  await max.client.deleteProjectApp({ params: { projectId, appId: second._id } });
  assert.equal((await named()).slug, second.slug);
});

test('a slug is unique in the service, and an invalid one is refused', async () => {
  const { _id: appId } = await create({ slug: 'parks' });
  const other = await create();
  const taken = { status: 409, code: 'conflict' };
  const refusals = [() => create({ slug: 'parks' }), () => change(other._id, { slug: 'parks' })];
  for (const refused of refusals) {
    await assert.rejects(refused, taken);
    const error = await refused().catch((reason: { problem: { errors: object[] } }) => reason);
    assert.match(JSON.stringify(error), /"pointer":"\/slug","code":"taken"/);
  }
  for (const slug of ['ab', 'Parks', 'a--b', '-ab', 'ab-', 'a/b', 'ä-b', 'x'.repeat(61), other._id, ''])
    await assert.rejects(create({ slug }), { status: 400 }, slug);
  await change(appId, { slug: 'parks' });
});

test('a restored app keeps its slug unless another app has taken it', async () => {
  const { _id: appId } = await create({ slug: 'rivers', properties: { b: 1, a: 2 } });
  const restore = async () => {
    const { items } = await max.client.getProjectTrash({ params });
    await max.client.postProjectTrashItemRestore({ params: { projectId, trashId: items[0]!._id } });
    return max.client.getProjectApp({ params: { projectId, appId } });
  };
  await max.client.deleteProjectApp({ params: { projectId, appId } });
  assert.equal((await restore()).slug, 'rivers');
  await max.client.deleteProjectApp({ params: { projectId, appId } });
  const { _id: heir } = await create({ slug: 'rivers' });
  const restored = await restore();
  assert.equal(restored.slug, undefined);
  assert.equal(JSON.stringify(restored.properties), '{"b":1,"a":2}');
  assert.equal((await max.client.getProjectApp({ params: { projectId, appId: heir } })).slug, 'rivers');
});

test('the page has the metadata for link previews, as text and absolute addresses', async () => {
  const description = `Trees\n${hostile} ${'long '.repeat(100)}`;
  const { _id: appId } = await create({ name: `Trees ${hostile}`, description, slug: null });
  await publish(appId);
  const { body: html } = await visit(`/app/${appId}/`);
  assert.equal(html.match(/<script/g)?.length, 1);
  assert.equal(
    contentOf(html, 'og:title'),
    'Trees &quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;',
  );
  assert.ok(contentOf(html, 'og:description')!.startsWith('Trees &quot;&gt;'));
  assert.ok(contentOf(html, 'description')!.length < 400);
  assert.equal(contentOf(html, 'og:url'), `http://maps.test/app/${appId}/`);
  assert.equal(contentOf(html, 'og:image'), `http://maps.test/app/${appId}/preview.png`);
  assert.deepEqual([contentOf(html, 'og:image:width'), contentOf(html, 'og:image:height')], ['1200', '630']);
  assert.equal(contentOf(html, 'twitter:card'), 'summary_large_image');
  const release = () => max.client.postProjectAppRelease({ params: { projectId, appId }, body: {} });
  const image = async () => contentOf((await visit(`/app/${appId}/`)).body, 'og:image');
  await release();
  const first = await image();
  await release();
  assert.notEqual(await image(), first, 'another release has another picture');
  assert.equal((await visit(new URL(first!).pathname + new URL(first!).search)).statusCode, 200);
  assert.equal(contentOf(html, 'robots'), undefined);
  const addresses = { ...defaultSettings, baseUrl: 'https://a.example', publicUrl: 'https://maps.example' };
  for (const [settings, origin] of [
    [{ ...addresses, publicUrl: undefined }, 'https://a.example'],
    [addresses, 'https://maps.example'],
  ] as const) {
    const own = await createApp({ ...context, settings });
    const page = await visit(`/app/${appId}/`, { host: new URL(origin).host }, own);
    assert.ok(contentOf(page.body, 'og:image')?.startsWith(`${origin}/app/${appId}/preview.png?v=`));
    await own.close();
  }
});

test('search engines list public maps alone', async () => {
  const { _id: appId } = await create();
  const authorization = `Bearer ${max.token}`;
  const hidden = await visit(`/app/${appId}/`, { authorization });
  assert.equal(contentOf(hidden.body, 'robots'), 'noindex');
  await publish(appId);
  assert.equal(contentOf((await visit(`/app/${appId}/`)).body, 'robots'), undefined);
});

test('an error page is in the language of the browser and needs no script', async () => {
  const { _id: appId } = await create();
  await publish(appId);
  const large = await create({ name: 'Large' });
  await publish(large._id);
  await context.db.updateTable('app').set({ map_version: '^1.0.0' }).where('id', '=', appId).execute();
  const big = { ...sampleModule, ownKey: 'x'.repeat(2_000_000) };
  const ids: string[] = [];
  for (let i = 0; i < 9; i++) {
    const made = await max.client.postProjectModule({ params, body: { ...sampleModule, name: `Big ${i}` } });
    ids.push(made._id);
  }
  await change(large._id, { moduleIds: ids });
  await context.db
    .updateTable('module')
    .set({ content: JSON.stringify(big) })
    .where('id', 'in', ids)
    .execute();
  const cases = [
    ['/app/none/', 404, 'Map not found', 'Karte nicht gefunden'],
    [`/app/${appId}/`, 503, 'This map cannot be shown', 'Diese Karte kann nicht angezeigt werden'],
    [`/app/${large._id}/`, 413, 'This map is too large', 'Diese Karte ist zu groß'],
  ] as const;
  assert.equal((await visit(`/app/${large._id}/preview.png`)).statusCode, 200);
  for (const [url, status, english, german] of cases) {
    for (const [language, tag, heading] of [
      ['en', 'en-GB,en;q=0.9,de;q=0.8', english],
      ['de', 'fr, de-AT;q=0.8, en;q=0.5', german],
      ['en', 'fr', english],
    ] as const) {
      const answer = await visit(url, { 'accept-language': tag });
      assert.equal(answer.statusCode, status, url);
      assert.ok(answer.body.includes(`<h1>${heading}</h1>`), `${url} ${tag}`);
      assert.ok(answer.body.includes(`<html lang="${language}">`));
      assert.equal(contentOf(answer.body, 'robots'), 'noindex');
      assert.ok(!answer.body.includes('<script'));
      assert.match(String(answer.headers['content-security-policy']), /^default-src 'none'/);
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.match(String(answer.headers.vary), /accept-language/);
    }
  }
});

test('the page is in the language of the browser, too, and asks again when that is another', async () => {
  const { _id: appId } = await create();
  await publish(appId);
  const page = (language: string, etag = '') =>
    visit(`/app/${appId}/`, { 'accept-language': language, 'if-none-match': etag });
  const german = await page('de');
  assert.match(german.body, /<html class="vcs-ui" lang="de">/);
  assert.match(String(german.headers.vary), /accept-language/);
  const etag = String(german.headers['etag']);
  assert.equal((await page('de', etag)).statusCode, 304);
  assert.equal((await page('en', etag)).statusCode, 200);
});

test('the origins that an app names may embed it, and invalid origins are refused', async () => {
  const ancestors = async (appId: string) =>
    /frame-ancestors ([^;]*)/.exec(
      String((await visit(`/app/${appId}/`)).headers['content-security-policy']),
    )?.[1];
  const frameOrigins = ['https://www.city.example', 'https://*.city.example:8443'];
  const { _id: appId, slug } = await create({ name: hostile, frameOrigins });
  await publish(appId);
  assert.equal(await ancestors(appId), `'self' https://*.city.example:8443 https://www.city.example`);
  await change(appId, { frameOrigins: ['*'] });
  assert.equal(await ancestors(appId), '*');
  for (const origin of [
    'https://a.example/path',
    'https://a.example; script-src *',
    'javascript:alert(1)',
    'https://user@a.example',
    'https://a.example:99999',
    'https://1.2.3.4.5',
    'HTTPS://A.EXAMPLE',
    "'none'",
    '',
  ])
    await assert.rejects(change(appId, { frameOrigins: [origin] }), { status: 400 }, origin);
  const embed = await max.client.getProjectAppEmbed({ params: { projectId, appId } });
  assert.match(embed.url, new RegExp(`^http://[^/]+/app/${slug}/$`));
  assert.deepEqual([embed.frameOrigins, embed.isPublic], [['*'], true]);
  assert.match(embed.html, /^<iframe src="[^"<>]+" title="[^"<>]+" [^<>]+><\/iframe>$/);
  assert.ok(embed.html.includes('&lt;script&gt;'));
});

test('a picture is drawn around the data, by the same rules as the page', async () => {
  const datasourceId = await addDatasource(service, projectId);
  await context.db
    .updateTable('datasource')
    .set({ bbox: [13, 52, 14, 53] })
    .where('id', '=', datasourceId)
    .execute();
  const layers = [{ type: 'GeoJSONLayer', name: 'trees', datasourceId }];
  const { _id: moduleId } = await max.client.postProjectModule({ params, body: { ...sampleModule, layers } });
  const { _id: appId } = await create({ slug: 'drawn', moduleIds: [moduleId] });
  const { _id: without } = await create();
  for (const ending of ['png', 'jpg', 'webp'])
    assert.equal((await visit(`/app/drawn/preview.${ending}`)).statusCode, 404);
  await publish(appId);
  await publish(without);
  const drawn = await visit('/app/drawn/preview.png');
  assert.equal(drawn.statusCode, 200);
  assert.equal(drawn.headers['content-type'], 'image/png');
  assert.match(String(drawn.headers['content-security-policy']), /sandbox/);
  assert.deepEqual([drawn.rawPayload.readUInt32BE(16), drawn.rawPayload.readUInt32BE(20)], [1200, 630]);
  assert.ok(drawn.rawPayload.length < 500_000, `${drawn.rawPayload.length} bytes`);
  const etag = String(drawn.headers['etag']);
  assert.equal((await visit(`/app/${appId}/preview.png`, { 'if-none-match': etag })).statusCode, 304);
  const world = await visit(`/app/${without}/preview.png`);
  assert.notEqual(world.headers['etag'], etag);
  assert.notDeepEqual(world.rawPayload, drawn.rawPayload);
  await max.client.deleteProjectAppPublic({ params: { projectId, appId } });
  assert.equal((await visit('/app/drawn/preview.png', { 'if-none-match': etag })).statusCode, 404);
});
