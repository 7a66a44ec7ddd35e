const batch = 500;

interface StoredId {
  readonly id: string;
  readonly modifiedAt: Date;
}

/** The ids of what is older than a limit, so many at once that one look at the database does for them. */
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
