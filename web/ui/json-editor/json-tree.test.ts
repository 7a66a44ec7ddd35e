import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { pathOfPointer, placeAt, rangeOf } from './json-tree.ts';

/** The `|` is the cursor. */
function at(marked: string) {
  const position = marked.indexOf('|');
  const state = EditorState.create({ doc: marked.replace('|', ''), extensions: [json()] });
  const place = placeAt(state, position);
  return place && [place.isKey ? 'key' : 'value', ...place.path].join(' ');
}

test('a place is known in finished JSON', () => {
  assert.equal(at('{"a": {"b|": 1}}'), 'key a');
  assert.equal(at('{"a": [1, {"c": "x|"}]}'), 'value a 1 c');
});

test('a place is known while it is being typed', () => {
  assert.equal(at('{|}'), 'key');
  assert.equal(at('{"a": 1, |}'), 'key');
  assert.equal(at('{"a": |}'), 'value a');
  assert.equal(at('{"a": tr|}'), 'value a');
  assert.equal(at('{"a": [{"type": |}]}'), 'value a 0 type');
  assert.equal(at('{"a": [1, |]}'), 'value a 1');
  assert.equal(at('{"a": {"b": 1, "c|"}}'), 'key a');
});

test('nothing is suggested where nothing is allowed', () => {
  assert.equal(at('{"a": 1 |}'), undefined);
  assert.equal(at('{"a" |}'), undefined);
});

test('a pointer leads to its value, or to the nearest thing around', () => {
  const doc = '{"a/b": [10, {"c": "x"}], "d": 2}';
  const state = EditorState.create({ doc, extensions: [json()] });
  const textAt = (pointer: string) => {
    const { from, to } = rangeOf(state, pathOfPointer(pointer));
    return doc.slice(from, to);
  };
  assert.equal(textAt('/a~1b/1/c'), '"x"');
  assert.equal(textAt('/a~1b/0'), '10');
  assert.equal(textAt('/d/gone'), '2');
  assert.equal(textAt(''), doc);
});
