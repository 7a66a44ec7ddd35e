import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanUp } from '../../project/retention/clean-up.ts';
import { dataOf, geojson, startSharing } from './testing.ts';
import { startReplica } from '../../testing.ts';

const { service, replica, max, params, ids, newApp, newModule, share, setClock, get, openVisit } =
  await startSharing();
const { app, context } = service;
const { shown, other } = ids;
const everywhere = async (url: string) =>
  (await Promise.all([get(url), get(url, { at: replica })])).map(({ statusCode }) => statusCode);

test('a link leads to a visit, whose page, configuration and data need no cookie and no header', async () => {
  const { url } = await share({ allowedOrigins: ['https://www.city.test'] });
  const first = await get(`${url}?state=abc`);
  assert.equal(first.statusCode, 303);
  assert.equal(first.headers['cache-control'], 'no-store');
  const address = String(first.headers['location']);
  assert.match(address, /^\/share\/[\w-]{43}\/[\w-]{43}\/\?state=abc$/);
  const page = await get(address);
  assert.equal(page.statusCode, 200);
  const { headers } = page;
  assert.match(String(headers['content-type']), /^text\/html/);
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['x-robots-tag'], 'noindex, nofollow');
  assert.equal(headers['cache-control'], 'private, no-cache');
  assert.match(
    String(headers['content-security-policy']),
    /frame-ancestors 'self' https:\/\/www\.city\.test(;|$)/,
  );
  assert.match(page.body, /<meta name="robots" content="noindex">/);
  assert.match(page.body, /<meta name="referrer" content="no-referrer">/);
  assert.match(page.body, /<title>Trees &amp; &lt;more&gt;<\/title>/);
  const [, configPath = ''] = /<meta name="platen:config" content="([^"]+)">/.exec(page.body)!;
  assert.equal(configPath, `${address.replace(/\?.*/, '')}app.config.json`);
  const [, poster = ''] = /<div id="poster"[^>]*><img src="([^"]+)"/.exec(page.body)!;
  const picture = await get(poster);
  assert.deepEqual([picture.statusCode, picture.headers['content-type']], [200, 'image/png']);
  assert.equal(picture.headers['cache-control'], 'no-store');
  const config = await get(configPath);
  assert.equal(config.headers['cache-control'], 'private, no-cache');
  const data = dataOf(config.body);
  assert.match(data, new RegExp(`^/data/t/[\\w-]{43}/${shown}/~1/places\\.geojson$`));
  const secrets = address.split('/');
  assert.ok(
    !secrets.includes(data.split('/')[3]!),
    'the address of the data is not the address of the visit',
  );
  const answer = await get(data);
  assert.deepEqual([answer.statusCode, answer.body], [200, geojson]);
  assert.equal(answer.headers['cache-control'], 'private, max-age=0, must-revalidate');
  assert.equal(answer.headers['referrer-policy'], 'no-referrer');
  assert.deepEqual(await everywhere(data.replace(shown, other)), [404, 404]);
  assert.deepEqual(await everywhere(`/data/${shown}/places.geojson`), [404, 404]);
  assert.deepEqual(await everywhere(`/app/${params.appId}/`), [404, 404]);
});

test('shared caches store nothing of a link, even if the app is public', async () => {
  const of = await newApp();
  await max.client.putProjectAppPublic({ params: of });
  const { url } = await share({}, of);
  const { address, config, data } = await openVisit(url);
  for (const path of [address, config, data])
    assert.match(String((await get(path)).headers['cache-control']), /^private, /);
});

test('data that no longer changes is not kept in caches beyond the visit either', async () => {
  const { url } = await share();
  const { data } = await openVisit(url);
  setClock(20);
  const answer = await get(data, { at: await startReplica(context) });
  setClock(0);
  assert.equal(answer.headers['cache-control'], 'private, max-age=0, must-revalidate');
});

test('an invalid link looks the same as a deleted one', async () => {
  const { url, _id } = await share();
  const { address, config, data } = await openVisit(url);
  await max.client.deleteProjectAppShareLink({ params: { ...params, shareLinkId: _id } });
  const neutral = async (path: string) => {
    const { statusCode, body: text, headers } = await get(path);
    const comparable = text.replace(/"(requestId|instance)":"[^"]+"/g, '');
    return {
      statusCode,
      comparable,
      headers: { ...headers, date: '', 'x-request-id': '', 'content-length': '' },
    };
  };
  const made = (path: string) => path.replace(/^\/share\/[\w-]{43}/, `/share/${'A'.repeat(43)}`);
  for (const path of [url, address, config, `${address}preview.png`]) {
    assert.equal((await get(path)).statusCode, 404);
    assert.deepEqual(await neutral(path), await neutral(made(path)));
  }
  assert.deepEqual(await neutral(data), await neutral(data.replace(/t\/[\w-]{43}/, `t/${'A'.repeat(43)}`)));
  for (const token of ['%00', '..%2f..', 'x'.repeat(300), '%ff', "'; drop table share_link", 'a/b/c/d'])
    assert.ok([400, 404].includes((await get(`/share/${token}/`)).statusCode), token);
});

test('secrets do not appear in problems', async () => {
  const { url } = await share();
  const { address, data } = await openVisit(url);
  const secrets = [...address.split('/'), ...data.split('/')].filter((part) => part.length === 43);
  assert.equal(secrets.length, 3);
  const answers = [
    await get(`${address}nothing/there`),
    await get(`${address}app.config.json/x`),
    await get(data.replace(shown, other)),
    await app.inject({ method: 'PUT', url: address }),
    await app.inject({ method: 'DELETE', url }),
    await app.inject({ method: 'POST', url, headers: { 'content-type': 'text/plain' }, payload: 'x' }),
    await app.inject({ method: 'POST', url, payload: { password: 'x'.repeat(10_000) } }),
  ];
  for (const answer of answers) {
    assert.ok(answer.statusCode >= 400 && answer.statusCode < 500, String(answer.statusCode));
    for (const secret of secrets) assert.ok(!answer.body.includes(secret), answer.body);
  }
});

test('a visit ends an hour after its last request, and a day after it began', async () => {
  const { url, _id } = await share();
  const { address, config, data } = await openVisit(url);
  const at = async (minutes: number, path = data) => {
    setClock(minutes);
    return (await get(path, { at: await startReplica(context) })).statusCode;
  };
  assert.equal(await at(40), 200);
  assert.equal(await at(80), 200);
  assert.equal(await at(141), 404);
  // the address is that of a new visit then, which is another use
  assert.deepEqual([await at(142, address), await at(142, config), await at(143)], [200, 200, 200]);
  for (let minutes = 172; minutes < 142 + 24 * 60; minutes += 40) assert.equal(await at(minutes), 200);
  assert.equal(await at(143 + 24 * 60), 404);
  const { useCount } = await max.client.getProjectAppShareLink({ params: { ...params, shareLinkId: _id } });
  assert.equal(useCount, 2);
  await cleanUp(context, { suspects: new Set() });
  const left = await context.db.selectFrom('share_visit').select('hash').where('link_id', '=', _id).execute();
  assert.deepEqual(left, []);
  setClock(0);
});

test('viewing the page is not a use, reloading is not another one, and the limit is never exceeded', async () => {
  const { url, _id } = await share({ maxUses: 3 });
  const uses = async () => max.client.getProjectAppShareLink({ params: { ...params, shareLinkId: _id } });
  const { address, config } = await openVisit(url);
  for (let i = 0; i < 3; i++) {
    await get(url);
    await get(address);
    await app.inject({ method: 'HEAD', url: config });
    await Promise.all([get(config), get(config, { at: replica })]);
  }
  const before = await uses();
  assert.deepEqual([before.useCount, before.hasEnded], [1, false]);
  assert.ok(Date.parse(before.lastUsedAt!) <= Date.now());
  const fresh = await get(config, {
    headers: { 'if-none-match': String((await get(config)).headers['etag']) },
  });
  assert.equal(fresh.statusCode, 304);
  const unopened = `${String((await get(url)).headers['location'])}app.config.json`;
  assert.equal((await app.inject({ method: 'HEAD', url: unopened })).statusCode, 404);
  assert.equal((await uses()).useCount, 1);
  const addresses = await Promise.all(
    Array.from({ length: 20 }, async () => String((await get(url)).headers['location'])),
  );
  const statuses = await Promise.all(
    // each twice at once, as a page and its preload would
    [...addresses, ...addresses].map(
      async (one, i) => (await get(`${one}app.config.json`, { at: i % 2 === 0 ? app : replica })).statusCode,
    ),
  );
  assert.deepEqual(
    [statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 404).length],
    [4, 36],
  );
  const after = await uses();
  assert.deepEqual([after.useCount, after.hasEnded], [3, true]);
  assert.equal((await get(url)).statusCode, 410);
  assert.equal((await get(config)).statusCode, 200);
});

test('visitors meet what the link shows: what the app shows to all, its draft, or one release', async () => {
  const of = await newApp();
  const release = await max.client.postProjectAppRelease({ params: of, body: {} });
  await max.client.putProjectApp({ params: of, body: { moduleIds: [await newModule(other)] } });
  const shows = async (which: string) => {
    const { url } = await share({ shows: which }, of);
    const { data } = await openVisit(url);
    const [, root, id] = /^(\/data\/t\/[^/]+)\/(\w+)\/~1\//.exec(data)!;
    const [mine, another] = id === shown ? ['places', 'other'] : ['other', 'places'];
    assert.deepEqual(await everywhere(`${root}/${id}/~1/${mine}.geojson`), [200, 200]);
    const elsewhere = `${root}/${id === shown ? other : shown}`;
    assert.deepEqual(await everywhere(`${elsewhere}/~1/${another}.geojson`), [404, 404]);
    assert.deepEqual(await everywhere(`${elsewhere}/${another}.geojson`), [404, 404]);
    return mine;
  };
  assert.equal(await shows('current'), 'places');
  assert.equal(await shows('draft'), 'other');
  assert.equal(await shows(release._id), 'places');
  await assert.rejects(share({ shows: release._id }), { status: 422 });
});
