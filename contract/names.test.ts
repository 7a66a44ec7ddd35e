import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiEndpoints } from './api.ts';
import { operationName, paramsOf, type Endpoint } from './endpoint.ts';

const all = Object.entries<Endpoint>(apiEndpoints);

test('the name of every endpoint follows from its method and path', () => {
  assert.ok(all.length > 20);
  for (const [name, { method, path }] of all)
    assert.equal(name, operationName(method, path), `${method} ${path}`);
});

test('no two endpoints have one method and path', () => {
  const places = all.map(([, { method, path }]) => `${method} ${path.replace(/:\w+/g, ':')}`);
  assert.equal(new Set(places).size, places.length);
});

test('names follow the examples of the API description', () => {
  assert.equal(operationName('POST', '/login'), 'postLogin');
  assert.equal(operationName('GET', '/projects'), 'getProjects');
  assert.equal(operationName('PUT', '/project/:projectId/user/:userId'), 'putProjectUser');
  assert.equal(
    operationName('POST', '/project/:projectId/data-bucket/:dataBucketId/upload'),
    'postProjectDataBucketUpload',
  );
});

test('a project permission is only required if the path names the project', () => {
  for (const [name, { access, path }] of all) {
    if (typeof access === 'object') assert.equal(paramsOf(path)[0], 'projectId', name);
  }
});
