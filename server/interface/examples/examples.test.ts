import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { apiEndpoints } from '@platen/contract/api';
import { describeApi } from '@platen/contract/describe';
import type { Endpoint } from '@platen/contract/endpoint';
import type { Examples } from '@platen/contract/examples';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterFile } from '../../../checks/clean-up.ts';
import { describeParameters } from '../../jobs/types/describe-parameters.ts';
import { startService } from '../../testing.ts';
import { createStableValues, exampleTime } from './testing-stable.ts';
import { recordStory } from './testing-story.ts';

const capabilities = `<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms"><Service><Title>Maps of the city</Title></Service>
<Capability><Layer><Title>All</Title><Layer><Name>dop20</Name><Title>Aerial images</Title><EX_GeographicBoundingBox>
<westBoundLongitude>9.8</westBoundLongitude><eastBoundLongitude>10.2</eastBoundLongitude>
<southBoundLatitude>53.4</southBoundLatitude><northBoundLatitude>53.7</northBoundLatitude></EX_GeographicBoundingBox>
</Layer></Layer></Capability></WMS_Capabilities>`;

const web = createServer((_request, response) => response.end(capabilities)).listen(0, '127.0.0.2');
afterFile(() => web.close());
await new Promise((resolve) => web.once('listening', resolve));
const address = `http://127.0.0.2:${(web.address() as AddressInfo).port}`;

const started = Date.now();
let last = exampleTime;
/** Strictly increasing, so that lists have one order. */
const now = () => new Date((last = Math.max(last + 1, exampleTime + Date.now() - started)));

const committed = new URL('../../../contract/examples.json', import.meta.url);

async function record(): Promise<Examples> {
  const service = await startService({ settings: { fetchAllow: 'http 127.0.0.2/32' }, now });
  const stable = createStableValues({ [address]: 'https://maps.example.org' });
  const exchanges = await recordStory(service, address);
  const examples = [...exchanges].map(([name, exchange]) => [name, stable(exchange)] as const);
  return Object.fromEntries(examples.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const recorded = await record();
if (process.env['PLATEN_BLESS'] === 'examples')
  await writeFile(committed, `${JSON.stringify(recorded, null, 2)}\n`);
const examples = JSON.parse(await readFile(committed, 'utf8')) as Examples;

test('every operation has an example, which is what the service answers (npm run bless)', () => {
  const missing = Object.keys(apiEndpoints).filter((name) => !(name in recorded));
  assert.deepEqual(missing, [], 'call them in the story, server/interface/examples/testing-story.ts');
  for (const [name, example] of Object.entries(recorded)) assert.deepEqual(examples[name], example, name);
  assert.deepEqual(Object.keys(examples), Object.keys(recorded));
  for (const [name, { body, optionalBody, reply }] of Object.entries<Endpoint>(apiEndpoints)) {
    if (body && !optionalBody) assert.ok(recorded[name]!.body, `the body of ${name}`);
    if (reply) assert.ok(recorded[name]!.reply, `the answer of ${name}`);
  }
});

type Content = Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;

interface Described {
  readonly parameters: readonly { readonly in: string; readonly name: string; readonly schema: object }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

test('each example has the form that the description promises', () => {
  const document = describeApi('test', { parameters: describeParameters(), examples });
  const { paths, components } = document as unknown as {
    paths: Record<string, Record<string, Described & { operationId: string }>>;
    components: object;
  };
  // most schemas are used for one value: compiling them costs more than they do
  const quickToCompile = { code: { optimize: false }, inlineRefs: false };
  const ajv = new Ajv2020({ ...quickToCompile, strict: false, formats: { 'date-time': true, binary: true } });
  ajv.addSchema({ $id: 'api', components });
  const check = (schema: object, value: unknown, what: string) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"api#/');
    const isValid = ajv.validate(JSON.parse(text) as object, value);
    assert.ok(isValid, `${what}: ${ajv.errorsText()}`);
  };
  for (const { operationId, parameters, requestBody, responses } of Object.values(paths).flatMap(
    Object.values,
  )) {
    for (const parameter of parameters)
      if ('example' in parameter)
        check(parameter.schema, parameter.example, `${operationId} ${parameter.name}`);
    const contents: Content[] = [requestBody, ...Object.values(responses)].map((part) => part?.content ?? {});
    for (const [type, { schema, example }] of contents.flatMap((content) => Object.entries(content))) {
      if (example !== undefined) check(schema, example, `${operationId} ${type}`);
    }
  }
});
