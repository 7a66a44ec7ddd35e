import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { startService } from '../../testing.ts';
import { configAt } from '../releases/testing.ts';
import { errorsOf, item, layer, warningsOf } from './testing-findings.ts';
import { sampleModule } from './testing.ts';

const script = 'javascript:alert(1)';

test('a link that runs a script is refused at its place, however it is written', () => {
  assert.deepEqual(
    errorsOf({
      contentTree: [item({ infoUrl: script }), item({ name: 'b', infoUrl: 'data:image/png;base64,AAAA' })],
      layers: [
        layer({ properties: { attributions: { provider: 'x', url: ' \u0001java\tscr\nipt:alert(1)' } } }),
        layer({ name: 'b', properties: { attributions: [{ url: 'VBScript:x' }] } }),
      ],
      uiConfig: [
        { name: 'imprint', value: { href: 'file:///etc/passwd' } },
        { name: 'dataProtection', value: script },
      ],
      featureInfo: [
        { type: 'IframeFeatureInfoView', name: 'f', src: 'data:text/html,<script>alert(1)</script>' },
        { type: 'MarkdownFeatureInfoView', name: 'g', template: ['ok', `[x](${script})`] },
        { type: 'MarkdownFeatureInfoView', name: 'h', template: '<a href= "java\nscript:alert(1)">' },
      ],
    }),
    [
      '/contentTree/0/infoUrl unsafeLink',
      '/contentTree/1/infoUrl unsafeLink',
      '/featureInfo/0/src unsafeLink',
      '/featureInfo/1/template/1 unsafeLink',
      '/featureInfo/2/template unsafeLink',
      '/layers/0/properties/attributions/url unsafeLink',
      '/layers/1/properties/attributions/0/url unsafeLink',
      '/uiConfig/0/value/href unsafeLink',
      '/uiConfig/1/value unsafeLink',
    ],
  );
});

test('addresses, embedded pictures and data, and texts about scripts are kept', () => {
  const picture = 'data:image/svg+xml;base64,AAAA';
  assert.deepEqual(
    warningsOf({
      contentTree: [
        item({ title: 'JavaScript: an introduction', infoUrl: '/a.html', icon: picture }),
        item({ name: 'b', infoUrl: 'mailto:maps@example.org' }),
      ],
      layers: [layer({ url: 'data:application/geo+json,{}' })],
      featureInfo: [
        { type: 'MarkdownFeatureInfoView', name: 'g', template: 'Uses javascript: see [here](https://a.b)' },
      ],
    }),
    [],
  );
});

test('a module is refused with the pointer, and an older one is shown without the link', async () => {
  const { app, admin, adminToken, context } = await startService();
  const { _id: projectId } = await admin.postProject({
    body: { name: 'P', description: '', bbox: [0, 0, 1, 1] },
  });
  const contentTree = (infoUrl: string) => [item({ title: 'Trees', infoUrl })] as never;
  const params = { projectId };
  await assert.rejects(
    admin.postProjectModule({ params, body: { ...sampleModule, contentTree: contentTree(script) } }),
    (error: { status: number; errors: { pointer: string }[] }) =>
      error.status === 400 && error.errors[0]!.pointer === '/contentTree/0/infoUrl',
  );
  const kept = { ...sampleModule, contentTree: contentTree('https://example.org/') };
  const { _id: moduleId } = await admin.postProjectModule({ params, body: kept });
  await sql`
    update module set content = replace(content::text, 'https://example.org/', ${script})::json
    where id = ${moduleId}`.execute(context.db);
  const { _id: appId } = await admin.postProjectApp({
    params,
    body: { name: 'A', moduleIds: [moduleId] },
  });
  const { modules, answer } = await configAt({ app }, `/app/${appId}/`, {
    authorization: `Bearer ${adminToken}`,
  });
  assert.doesNotMatch(answer.body, /javascript:/);
  assert.deepEqual((modules[0] as { contentTree?: unknown }).contentTree, contentTree(''));
});
