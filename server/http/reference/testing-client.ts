import assert from 'node:assert/strict';
import { apiPrefix } from '@platen/contract/endpoint';
import type { FastifyInstance } from 'fastify';
import { alternativesOf, fieldsOf, nameOf, referenceOperations, shapeOf } from './testing-facts.ts';
import { differencesOf } from './testing-replies.ts';

interface ReferenceRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly form?: FormData | URLSearchParams;
}

const operations = new Map(referenceOperations.map((operation) => [nameOf(operation), operation]));

/**
 * A client that knows only the reference: it sends nothing that is not documented there, to paths with a trailing slash,
 * and expects the documented status and fields.
 */
export function createReferenceClient(app: FastifyInstance) {
  const session: { token?: string } = {};
  // oxlint-disable-next-line typescript/no-explicit-any -- an answer of any operation
  const call = async (name: string, request: ReferenceRequest = {}): Promise<any> => {
    const [method, path] = name.split(' ') as [string, string];
    const operation = operations.get(nameOf({ method, path }));
    assert.ok(operation, `${name} is no operation of the reference`);
    const { params = {}, query = {}, body, form } = request;
    requireKnown(name, Object.keys(query), fieldsOf(operation.query ?? {}));
    const sent = operation.body && shapeOf(operation.body);
    const known = alternativesOf(sent?.shape ?? []).flatMap((one) =>
      typeof one === 'object' ? fieldsOf(one) : [],
    );
    requireKnown(name, Object.keys(body ?? {}), known);
    const packed = form && new Request('http://localhost', { method: 'POST', body: form });
    const place = path.replace(/\{(\w+)\}/g, (_, param: string) => params[param]!);
    const reply = await app.inject({
      method: method as 'GET',
      url: `${apiPrefix}${place}/${searchOf(query)}`,
      headers: {
        ...(session.token !== undefined && { authorization: `Bearer ${session.token}` }),
        ...(packed && { 'content-type': packed.headers.get('content-type')! }),
      },
      ...(packed && { payload: Buffer.from(await packed.arrayBuffer()) }),
      ...(body && { payload: body }),
    });
    assert.deepEqual(differencesOf(operation, reply), [], `${name}: ${reply.body.slice(0, 500)}`);
    return reply.body !== '' && operation.answer?.media === undefined ? reply.json() : reply.body;
  };
  return { call, session };
}

function requireKnown(name: string, given: readonly string[], known: readonly { name: string }[]): void {
  const names = new Set(known.map((field) => field.name));
  assert.deepEqual(
    given.filter((one) => !names.has(one)),
    [],
    `${name}: what the reference does not know`,
  );
}

function searchOf(query: Readonly<Record<string, string | readonly string[]>>): string {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => [name, value])),
  );
  return search.size > 0 ? `?${search}` : '';
}
