import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { startService } from '../testing.ts';

const { context, user } = await startService();
const body = { name: 'Server', type: 'userPassword', username: 'web', password: 'of the server' } as const;

/** Stores replies as if the user had sent so many requests with a key of their own. */
async function addReplies(userId: string, count: number, replyBytes: number): Promise<void> {
  await sql`insert into idempotent_request (user_id, path, key, body_hash, reply, created_at)
    select ${userId}, '/x', n::text, '', (select to_json(string_agg(md5(i::text), ''))
      from generate_series(1, ${Math.ceil(replyBytes / 32)}::int) i), now() from generate_series(1, ${count}::int) n`.execute(
    context.db,
  );
}

for (const [name, count, replyBytes] of [
  ['number', 10_000, 1],
  ['size', 17, 4 * 1024 * 1024],
] as const) {
  test(`the ${name} of the replies that are stored for a user is limited, apart from other users`, async () => {
    const { id, client } = await user(`many-${name}`);
    const { client: other } = await user(`few-${name}`);
    const first = await client.postLoginCredential({ body, headers: { 'idempotency-key': 'first' } });
    await addReplies(id, count, replyBytes);
    const refused = client.postLoginCredential({ body, headers: { 'idempotency-key': 'next' } });
    await assert.rejects(refused, { status: 429, message: /too many Idempotency-Keys/ });
    const again = await client.postLoginCredential({ body, headers: { 'idempotency-key': 'first' } });
    assert.equal(again._id, first._id);
    await client.postLoginCredential({ body });
    await other.postLoginCredential({ body, headers: { 'idempotency-key': 'next' } });
  });
}

test('requests with a key and a password take no place in the queue of those who sign in', async () => {
  const { client } = await user('pat');
  const post = (key: string) => client.postLoginCredential({ body, headers: { 'idempotency-key': key } });
  const outcomes = await Promise.all(
    Array.from({ length: 150 }, (_, i) =>
      post(`k${i}`).then(
        () => 201,
        ({ status }: { status: number }) => status,
      ),
    ),
  );
  assert.ok(outcomes.includes(201) && !outcomes.includes(503), outcomes.join());
});
