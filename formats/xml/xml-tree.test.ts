import assert from 'node:assert/strict';
import { test } from 'node:test';
import { childrenOf, findElement, readXmlTree, textAt } from './xml-tree.ts';

test('elements, attributes and texts become a tree without prefixes', async () => {
  const root = await readXmlTree(
    '<a:x xmlns:a="n" a:id="1" name="a &amp; b"><y>one</y><y> two<!-- no --><![CDATA[ <three>]]></y><z/></a:x>',
  );
  assert.deepEqual([root?.name, root?.attributes], ['x', { id: '1', name: 'a & b' }]);
  assert.deepEqual(
    childrenOf(root!, 'y').map(({ text }) => text),
    ['one', 'two <three>'],
  );
  assert.equal(textAt(root, 'y'), 'one');
  assert.equal(textAt(root, 'z'), undefined);
  assert.equal(findElement(root, 'z', 'none'), undefined);
});

test('a DOCTYPE is skipped, and its entities stay as they are', async () => {
  const doctype = `<!DOCTYPE x SYSTEM "a>b" [ <!ENTITY e "]>boom"> <!-- it's ]> --> <!ELEMENT y EMPTY> ]>`;
  const root = await readXmlTree(`<?xml version="1.0"?>${doctype}<x t="&e;">&lt;&e;&nbsp;</x>`);
  assert.deepEqual([root?.text, root?.attributes], ['<&e;&nbsp;', { t: '&e;' }]);
});

test('truncated or damaged XML is read up to the fault', async () => {
  const whole = '<x><y>1</y><z a="2"/></x>';
  for (let length = 0; length < whole.length; length++) {
    const root = await readXmlTree(whole.slice(0, length));
    assert.equal(textAt(root, 'y'), length > 7 + 3 ? '1' : undefined, whole.slice(0, length));
  }
  assert.equal(textAt(await readXmlTree('<x><y>1</y></wrong><y>2</y>'), 'y'), '1');
});

test('elements that are nested too deep are refused', async () => {
  assert.equal(await readXmlTree('<a>'.repeat(100_000)), undefined);
  const nested = (depth: number) => readXmlTree('<a>'.repeat(depth) + '</a>'.repeat(depth));
  assert.equal((await nested(64))?.name, 'a');
  assert.equal(await nested(65), undefined);
});
