const batch = 500;

interface StoredId {
  readonly id: string;
  readonly modifiedAt: Date;
}

/** The ids of everything older than a limit, in batches of one query each. */
export async function* oldIds(
  listed: AsyncIterable<StoredId>,
  limit: Date,
  signal?: AbortSignal,
): AsyncGenerator<readonly string[]> {
  let ids: string[] = [];
  for await (const { id, modifiedAt } of listed) {
    if (signal?.aborted) return;
    if (modifiedAt >= limit) continue;
    ids.push(id);
    if (ids.length < batch) continue;
    yield ids;
    ids = [];
  }
  if (ids.length > 0) yield ids;
}
