import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { findChromium, howToGetIt } from './chromium.ts';
import type { RunningService } from './processes.ts';
import { hostileModule, markup, shortMarkup } from './testing-hostile-module.ts';
import { scriptScheme, visitMap } from './testing-hostile-visit.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';
import { afterFile } from '../checks/clean-up.ts';
import { unchanged } from '../checks/costly-tests.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const skipOlder = skip || unchanged('older engines');

let service: RunningService;
let browser: Browser;
before(async () => {
  if (executable === undefined) return;
  service = await sharedService();
  browser = await sharedBrowser(executable, { map: true });
});
afterFile(() => browser?.close());

interface Place {
  readonly projectId: string;
  readonly moduleId: string;
}

let place: Promise<Place> | undefined;

/** The address of an app of that module alone, for some engine. */
async function publish(mapVersion: string): Promise<string> {
  const { client, url } = service;
  const { projectId, moduleId } = await (place ??= storeModule());
  const params = { projectId };
  const { _id: appId } = await client.postProjectApp({
    params,
    body: {
      name: shortMarkup('app name'),
      description: markup('app description'),
      mapVersion,
      moduleIds: [moduleId],
    },
  });
  await client.putProjectAppPublic({ params: { projectId, appId } });
  return `${url}/app/${appId}/`;
}

async function storeModule(): Promise<Place> {
  const { client } = service;
  const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({ body });
  const params = { projectId };
  const form = new FormData();
  form.append('evil.js', new Blob([`__ran('uploaded script')`]), 'file');
  await client.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
  const { _id: datasourceId } = await client.postProjectDatasource({
    params,
    body: {
      name: 'Script',
      type: 'generic',
      sourceProperties: { type: 'internal', dataBucketId, dataBucketKey: 'evil.js' },
    },
  });
  const module = {
    ...hostileModule(`/data/${datasourceId}/evil.js`),
    properties: { datasourceId },
    hiddenObjects: [],
  };
  await assert.rejects(
    client.postProjectModule({ params, body: module as never }),
    /unsafeLink|run a script/,
  );
  const stored = JSON.parse(JSON.stringify(module).replaceAll('javascript:', scriptScheme)) as never;
  const { _id: moduleId } = await client.postProjectModule({ params, body: stored });
  return { projectId, moduleId };
}

/** The places that map viewer 5 does not have. */
const newerAreas = [
  'headerTitle',
  'splash',
  'splash box',
  'splash button',
  'imprint',
  'imprint title',
  'imprint tooltip',
  'dataProtection title',
  'footer title',
  'footer content',
  'custom title',
  'markdown view',
  'markdown balloon',
  'markdown balloon title',
];

const areas = [
  'search result',
  'app name',
  'appTitle',
  'i18n',
  'tree group',
  'tree tooltip',
  'icon',
  'table title',
  'table tree tooltip',
  'table attribution',
  'table legend row',
  'table legend tooltip',
  'table property',
  'table key',
  'balloon title',
  'balloon property',
  ...newerAreas,
];

/** The places that older map viewers do not have. */
const missingAreas: Readonly<Record<string, readonly string[]>> = {
  '^6': [],
  '~6.2': ['footer title', 'footer content'],
  '^5': newerAreas,
};

const kindsOf = (ids: readonly string[]) => new Set(ids.map((id) => id.replace(/^\w+ /, '')));

// Each visit mostly waits, so that three take little longer than one.
describe('hostile texts', { concurrency: 3 }, () => {
  for (const [mapVersion, missing] of Object.entries(missingAreas)) {
    const expected = areas.filter((id) => !missing.includes(id));

    test(
      `hostile elements and attributes never get into the page of ${mapVersion}, even without its policy`,
      { skip: mapVersion === '^6' ? skip : skipOlder, timeout: 360_000 },
      async (t) => {
        const { ran, inserted, visible } = await visitMap(browser, await publish(mapVersion), {
          hasPolicy: false,
          hasSanitiser: true,
          isEnough: (visit) => expected.every((id) => visit.visible.has(id)),
        });
        assert.deepEqual({ ran, inserted }, { ran: [], inserted: [] });
        t.diagnostic(`visible: ${[...visible].toSorted().join(', ')}`);
        assert.deepEqual(
          expected.filter((id) => !visible.has(id)),
          [],
          'everything has been visible',
        );
      },
    );
  }

  test(
    'script in names, texts, addresses, icons and features never runs within the policy, even without the sanitiser',
    { skip, timeout: 360_000 },
    async () => {
      const address = await publish('^6');
      const { ran, blocked, visible } = await visitMap(browser, address, {
        hasPolicy: true,
        hasSanitiser: false,
        isEnough: (visit) => areas.every((id) => visit.visible.has(id)) && visit.blocked.length > 0,
      });
      assert.deepEqual(ran, []);
      assert.deepEqual(
        areas.filter((id) => !visible.has(id)),
        [],
        'everything has been visible',
      );
      assert.ok(blocked.length > 0);
      // the viewer would run these: see docs/decisions/0050
      const kinds = new Set(['legend frame', 'tag frame', 'tag onerror']);
      const unguarded = await visitMap(browser, address, {
        hasPolicy: false,
        hasSanitiser: false,
        isEnough: (visit) => kinds.isSubsetOf(kindsOf(visit.ran)),
      });
      assert.deepEqual(kindsOf(unguarded.ran), kinds);
    },
  );

  test(
    'without the sanitiser, 5.0 would insert scripts of search results, and only the policy stops them',
    { skip: skipOlder, timeout: 360_000 },
    async () => {
      const isResult = (what: string) => what.includes('search result');
      const { ran, inserted } = await visitMap(browser, await publish('^5'), {
        hasPolicy: true,
        hasSanitiser: false,
        isEnough: (visit) => visit.inserted.some(isResult),
      });
      assert.deepEqual(ran, []);
      assert.ok(inserted.some(isResult));
    },
  );
});
