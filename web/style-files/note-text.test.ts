import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteTexts } from '@platen/styles/exchange/notes';
import german from './locales/de.json' with { type: 'json' };
import english from './locales/en.json' with { type: 'json' };

test('each note of a style file is told in both languages, in English as by the API', () => {
  assert.deepEqual({ ...english.note }, noteTexts);
  assert.deepEqual(Object.keys(german.note), Object.keys(noteTexts));
  assert.deepEqual(Object.keys(german.what), Object.keys(english.what));
});
