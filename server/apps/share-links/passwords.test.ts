import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSharing } from './testing.ts';
import { admitVisitor, dataSecretOf, findVisitedLink } from './visits.ts';

const { service, replica, max, params, ids, share, get, openVisit, submit } = await startSharing();
const { app } = service;
const everywhere = async (url: string) =>
  (await Promise.all([get(url), get(url, { at: replica })])).map(({ statusCode }) => statusCode);

test('a link with a password reveals nothing, and each visitor must enter it', async () => {
  const { url } = await share({ password: 'correct horse', allowedOrigins: ['https://x.test'] });
  const form = await get(url);
  assert.equal(form.statusCode, 200);
  assert.ok(!form.body.includes('Trees'));
  assert.ok(!form.body.includes('<script'));
  assert.match(form.body, /<form method="post"/);
  assert.match(
    String(form.headers['content-security-policy']),
    /default-src 'none'.*form-action 'self'; frame-ancestors 'self' https:\/\/x\.test;/,
  );
  const invented = `${url}${'B'.repeat(43)}/`;
  const turned = await get(`${invented}?state=x`);
  assert.deepEqual([turned.statusCode, turned.headers['location']], [303, `${url}?state=x`]);
  assert.equal((await get(`${invented}app.config.json`)).statusCode, 404);
  assert.equal((await get(`${invented}preview.png`)).statusCode, 404);
  const wrong = await submit(url, 'incorrect horse');
  assert.equal(wrong.statusCode, 403);
  assert.match(wrong.body, /Wrong password/);
  for (const strange of [{}, { password: '' }, { password: 'x'.repeat(2000) }, { other: 'correct horse' }])
    assert.equal((await submit(url, strange)).statusCode, 403);
  for (const payload of [{ password: ['correct horse'] }, { password: { length: 13 } }, []])
    assert.equal((await app.inject({ method: 'POST', url, payload })).statusCode, 403);
  const right = await submit(`${url}?state=x`, 'correct horse');
  assert.equal(right.statusCode, 303);
  const address = String(right.headers['location']).replace('?state=x', '');
  assert.ok(!`${JSON.stringify(right.headers)}${right.body}`.includes('correct'));
  const { config, data } = await openVisit(address);
  assert.deepEqual(await everywhere(address), [200, 200]);
  assert.deepEqual(await everywhere(config), [200, 200]);
  assert.deepEqual(await everywhere(data), [200, 200]);
  assert.equal((await get(`${address}preview.png`)).statusCode, 200);
});

test('a correct password is not a use of the link until the map is opened', async () => {
  const { url, _id } = await share({ password: 'correct horse', maxUses: 1 });
  const two = [await submit(url, 'correct horse'), await submit(url, 'correct horse')];
  const [first, second] = two.map(({ headers }) => String(headers['location']));
  const shareLinkId = { params: { ...params, shareLinkId: _id } };
  assert.equal((await max.client.getProjectAppShareLink(shareLinkId)).useCount, 0);
  const [token = '', visit = ''] = first!.split('/').slice(2);
  const data = `/data/t/${dataSecretOf({ token, visit })}/${ids.shown}/places.geojson`;
  assert.deepEqual(await everywhere(data), [404, 404]);
  assert.equal((await get(`${first}app.config.json`)).statusCode, 200);
  assert.deepEqual(await everywhere(data), [200, 200]);
  assert.equal((await get(`${second}app.config.json`)).statusCode, 404);
  assert.equal((await get(`${first}app.config.json`)).statusCode, 200);
  assert.equal((await max.client.getProjectAppShareLink(shareLinkId)).useCount, 1);
  assert.equal((await submit(url, 'correct horse')).statusCode, 410);
});

test('a password changed while it is checked admits no one', async () => {
  const { url, _id } = await share({ password: 'correct horse' });
  const [, token = ''] = url.split('/').filter(Boolean);
  const { db, now } = service.context;
  const met = (await findVisitedLink(db, token, now()))!;
  assert.ok(await admitVisitor(db, met, token, now()));
  const one = { params: { ...params, shareLinkId: _id } };
  await max.client.putProjectAppShareLink({ ...one, body: { password: 'battery staple' } });
  assert.equal(await admitVisitor(db, met, token, now()), undefined);
  assert.equal((await submit(url, 'correct horse')).statusCode, 403);
  assert.equal((await submit(url, 'battery staple')).statusCode, 303);
});

test('visitors who know the password are not limited, and the size of the form is', async () => {
  const { url } = await share({ password: 'correct horse' });
  for (let i = 0; i < 12; i++) assert.equal((await submit(url, 'correct horse')).statusCode, 303);
  assert.equal((await submit(url, 'x'.repeat(9000))).statusCode, 413);
});

test('password attempts are throttled by link and address, also simultaneous ones, without locking others out', async () => {
  const { url, _id } = await share({ password: 'correct horse' });
  const answers = await Promise.all(Array.from({ length: 15 }, () => submit(url, 'guess')));
  assert.equal(answers.filter(({ statusCode }) => statusCode === 403).length, 10);
  const refused = await submit(url, 'correct horse');
  assert.equal(refused.statusCode, 429);
  assert.ok(Number(refused.headers['retry-after']) > 800);
  assert.match(refused.body, /Too many wrong passwords/);
  const { items } = await service.admin.getAudit({ query: { action: ['shareLink.throttle'] } });
  assert.deepEqual(
    items.map(({ targetId, projectId }) => [targetId, projectId]),
    [[_id, params.projectId]],
  );
  assert.equal((await submit(url, 'correct horse', '192.0.2.7')).statusCode, 303);
  const another = await share({ password: 'correct horse' });
  assert.equal((await submit(another.url, 'correct horse')).statusCode, 303);
  for (let i = 0; i < 89; i++) await submit(url, 'guess', `198.51.100.${i}`);
  assert.equal((await submit(url, 'guess', '203.0.113.1')).statusCode, 403);
  assert.equal((await submit(url, 'correct horse', '203.0.113.2')).statusCode, 429);
});

test('the address of a visit reveals no other link, and is valid for its own link only', async () => {
  const one = await openVisit((await share()).url);
  const { url } = await share({ password: 'correct horse' });
  const [, token] = url.split('/').filter(Boolean);
  const crossed = one.address.replace(/^\/share\/[\w-]{43}/, `/share/${token}`);
  assert.equal((await get(crossed)).statusCode, 303);
  assert.equal((await get(`${crossed}app.config.json`)).statusCode, 404);
});

test('someone who is signed in sees by a link what a visitor sees', async () => {
  const { url } = await share();
  const headers = { authorization: `Bearer ${max.token}` };
  const { data } = await openVisit(url, { headers });
  assert.equal((await get(data)).statusCode, 200);
});
