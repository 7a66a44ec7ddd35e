import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { apiPrefix } from '@platen/contract/endpoint';
import { describeApi } from '@platen/contract/describe';
import { describeParameters } from '../../jobs/types/describe-parameters.ts';
import { startService } from '../../testing.ts';
import { differencesInDescription } from './testing-description.ts';
import {
  alternativesOf,
  fieldsOf,
  nameOf,
  referenceOperations,
  shapeOf,
  type Difference,
  type ReferenceOperation,
} from './testing-facts.ts';
import { isLast, preparations } from './testing-requests.ts';
import { differencesOf } from './testing-replies.ts';
import { queryOf, sampleOf } from './testing-values.ts';
import { makeWorld } from './testing-world.ts';

const described = differencesInDescription(
  describeApi('test', { parameters: describeParameters() }),
  referenceOperations,
);
const missing = new Set(
  described.filter(({ difference }) => difference === 'missing').map(({ operation }) => operation),
);

const service = await startService({ settings: { publishFolder: '/srv/maps' } });
const world = await makeWorld(service);

/** Sends all that the reference documents for an operation, once for each alternative of its body. */
async function differencesInReplies(operation: ReferenceOperation): Promise<string[]> {
  const body = operation.body && shapeOf(operation.body);
  const bodies = body ? alternativesOf(body.shape) : [undefined];
  const found: string[] = [];
  for (const one of bodies) {
    const fields = typeof one === 'object' ? one : {};
    const {
      params,
      values = {},
      form,
      token,
    } = (await preparations[nameOf(operation)]?.(world, fields)) ?? {};
    const ids: Readonly<Record<string, string>> = { ...world.ids, ...params };
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
    const request = form && new Request('http://localhost', { method: 'POST', body: form });
    const reply = await service.app.inject({
      method: operation.method as 'GET',
      url: `${apiPrefix}${path}${queryOf(operation.query ?? {}, values)}`,
      headers: {
        authorization: `Bearer ${token ?? service.adminToken}`,
        ...(request && { 'content-type': request.headers.get('content-type')! }),
      },
      ...(request && { payload: Buffer.from(await request.arrayBuffer()) }),
      ...(typeof one === 'object' && { payload: sampleOf(one, values) }),
    });
    found.push(...differencesOf(operation, reply));
  }
  return [...new Set(found)];
}

/** The rows of the table: operations and differences in code, and a reason. */
function tabled(): Difference[] {
  const text = readFileSync(new URL('../../../docs/compatibility.md', import.meta.url), 'utf8');
  const codesOf = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
  return text
    .split('\n')
    .filter((line) => /^\| `[A-Z]+ \//.test(line))
    .flatMap((line) => {
      const [, operations, differences, reason] = line.split('|');
      assert.ok(reason?.trim(), `${line}: the reason`);
      return codesOf(operations!).flatMap((operation) =>
        codesOf(differences!).map((difference) => ({ operation, difference })),
      );
    });
}

const isText = (name: string, shape: unknown) =>
  shape === 'string' &&
  !/^(?:createdAt|updatedAt|startTime|endTime|permissions|version|mapVersion|orderBy)$/.test(name);

test('nonsense in a parameter that takes no text is refused by a problem that names it', async () => {
  let sent = 0;
  for (const { method, path, query = {}, body } of referenceOperations) {
    if (missing.has(nameOf({ method, path })) || body?.form) continue;
    const required = fieldsOf(query).flatMap(({ name, isRequired }) => (isRequired ? [`&${name}=x`] : []));
    for (const { name, shape } of fieldsOf(query)) {
      if (isText(name, shape)) continue;
      const place = path.replace(
        /\{(\w+)\}/g,
        (_, param: string) => (world.ids as Record<string, string>)[param]!,
      );
      const reply = await service.app.inject({
        method: method as 'GET',
        url: `${apiPrefix}${place}?${name}=~non,sense${required.join('')}`,
        headers: { authorization: `Bearer ${service.adminToken}` },
        ...(body && { payload: {} }),
      });
      const { errors, detail } = reply.json<{ errors?: { pointer: string }[]; detail: string }>();
      const about = `${method} ${path}?${name}: ${reply.statusCode} ${detail}`;
      assert.equal(reply.statusCode, 400, about);
      assert.match(errors?.[0]?.pointer ?? '', new RegExp(`^/?${name}\\b`), about);
      sent++;
    }
  }
  assert.ok(sent > 120, `${sent} requests`);
});

test('the API differs from the reference only where the table says so, in its description and its replies', async () => {
  const seen = described.map(textOf);
  const operations = referenceOperations.filter((operation) => !missing.has(nameOf(operation)));
  for (const operation of operations.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))) {
    const differences = await differencesInReplies(operation);
    seen.push(...differences.map((difference) => textOf({ operation: nameOf(operation), difference })));
  }
  assert.equal(referenceOperations.length, 131);
  assert.deepEqual([...new Set(seen)].toSorted(), tabled().map(textOf).toSorted());
});

const textOf = ({ operation, difference }: Difference) => `${operation}: ${difference}`;
