import assert from 'node:assert/strict';
import { test } from 'node:test';
import { originFrom } from './origin.ts';

test('an address that was pasted becomes the origin of its page', () => {
  assert.equal(originFrom(' https://www.City.example/maps/?a=1#b '), 'https://www.city.example');
  assert.equal(originFrom('http://localhost:8080'), 'http://localhost:8080');
});

test('a name alone is meant by https', () => {
  assert.equal(originFrom('www.city.example'), 'https://www.city.example');
  assert.equal(originFrom('*.city.example/x'), 'https://*.city.example');
});

test('everyone is a star, and an invalid host is an empty list', () => {
  assert.equal(originFrom('*'), '*');
  for (const text of ['', 'city', 'ftp://a.example', 'https://a b.example', 'javascript:alert(1)'])
    assert.equal(originFrom(text), undefined, text);
});
