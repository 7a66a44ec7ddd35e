import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Module } from '@platen/contract/modules';
import { compileModule } from '../compile.ts';
import { datasourceReferences } from './references.ts';
import { errorsOf, layer, warningsOf } from './testing-findings.ts';

const story = (...steps: unknown[]) => ({ story: { steps } });
const step = (fields: object) => ({ title: 'Here', ...fields });

test('a story of views, pictures and known layers has nothing to report', () => {
  const content = {
    layers: [layer({ name: 'trees' })],
    ...story(
      step({}),
      step({ viewpoint: { groundPosition: [13, 52], distance: 500 }, show: ['trees'] }),
      step({ picture: { datasourceId: 'd' }, hide: ['trees'] }),
      step({ picture: { url: 'https://example.org/a.jpg', alt: 'A tree' } }),
    ),
  };
  assert.deepEqual(warningsOf(content), []);
});

test('mistakes in a story are reported at their place', () => {
  assert.deepEqual(errorsOf({ story: [] }), ['/story type']);
  const content = story(
    null,
    { title: ' ' },
    step({ viewpoint: 'there' }),
    step({ viewpoint: { groundPosition: [13, 520], distance: 500 } }),
    step({ picture: {} }),
    step({ picture: { url: 'https://' } }),
    step({ picture: { url: 'http://example.org/a.jpg' } }),
    step({ picture: { url: '/data/d/a.jpg' } }),
    step({ show: 'all', hide: [5] }),
  );
  assert.deepEqual(errorsOf(content), [
    '/story/steps/0 type',
    '/story/steps/1/title required',
    '/story/steps/2/viewpoint type',
    '/story/steps/3/viewpoint/groundPosition type',
    '/story/steps/4/picture required',
    '/story/steps/5/picture/url unusableUrl',
    '/story/steps/6/picture/url unusableUrl',
    '/story/steps/7/picture/url unusableUrl',
    '/story/steps/8/hide type',
    '/story/steps/8/show type',
  ]);
});

test('a layer of a step that the module does not have must be in another one', () => {
  assert.deepEqual(warningsOf(story(step({ show: ['a'], hide: ['b'] }))), [
    '/story/steps/0/hide/0 elsewhere',
    '/story/steps/0/show/0 elsewhere',
  ]);
});

test('the picture of a step is a use of its datasource, and gets its address', () => {
  const content = story(step({}), step({ picture: { datasourceId: 'd', alt: 'A tree' } }));
  assert.deepEqual(datasourceReferences(content), [
    { pointer: '/story/steps/1/picture/datasourceId', datasourceId: 'd' },
  ]);
  const served = { base: '/data/d', servedAt: '/s/d', url: '/s/d/tree.jpg', defaults: undefined };
  const module = { _id: 'm', name: 'm', layers: [], ...content } as unknown as Module;
  const compiled = compileModule(module, (id) => (id === 'd' ? served : undefined));
  assert.deepEqual(compiled.story!.steps[1]!.picture, {
    datasourceId: 'd',
    alt: 'A tree',
    url: '/s/d/tree.jpg',
  });
});
