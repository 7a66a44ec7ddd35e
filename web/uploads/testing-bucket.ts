import { defaultOptions, type HttpRequest, type HttpResponse } from 'tus-js-client';

/** A request sent to the network. */
export interface BucketRequest {
  readonly method: string;
  /** The path below the data bucket's address: `objects`, `upload`, `tus`, `tus/<id>`. */
  readonly place: string;
  readonly query: URLSearchParams;
  readonly header: (name: string) => string | undefined;
  readonly body: unknown;
  readonly signal: AbortSignal | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

interface Draft {
  readonly key: string;
  readonly overwrite: boolean;
  readonly length: number;
  offset: number;
}

/**
 * Replaces the network: a service with one empty data bucket, as far as uploads use it. The answer of `before` is
 * returned if there is one, else the service's.
 */
export function startBucket() {
  const files = new Set<string>();
  const drafts = new Map<string, Draft>();
  const requests: BucketRequest[] = [];
  const bucket = {
    files,
    drafts,
    requests,
    before: (() => undefined) as (request: BucketRequest) => Answer | Promise<Answer> | undefined,
    sent: (method: string, place: string) =>
      requests.filter((one) => one.method === method && one.place.split('/')[0] === place),
  };

  async function answer(request: BucketRequest): Promise<Answer> {
    requests.push(request);
    return (await bucket.before(request)) ?? (answers[request.place.split('/')[0]!] ?? nothing)(request);
  }

  const answers: Record<string, (request: BucketRequest) => Answer> = {
    objects: list,
    upload,
    tus,
    uploads: nothing,
  };

  function list({ query }: BucketRequest): Answer {
    const [limit, page] = [Number(query.get('limit')), Number(query.get('page'))];
    const all = [...files].filter((key) => key.startsWith(query.get('prefix') ?? '')).toSorted();
    const items = all.slice(page * limit, (page + 1) * limit).map((key) => ({ key, type: 'file' }));
    const totalPages = Math.ceil(all.length / limit);
    return { status: 200, body: { items, limit, page, totalCount: all.length, totalPages } };
  }

  function upload({ query, body }: BucketRequest): Answer {
    const keys = [...(body as FormData).keys()];
    const results = keys.map((key) => {
      const isRefused = files.has(key) && query.get('overwrite') !== 'true';
      files.add(key);
      return isRefused ? { status: 409, problem: { code: 'conflict' } } : { status: 204 };
    });
    return { status: 207, body: { files: results } };
  }

  function tus({ method, place, header, body }: BucketRequest): Answer {
    if (method === 'POST') return begin(header);
    const draft = drafts.get(place.split('/')[1]!);
    if (!draft) return { status: 404 };
    if (method === 'PATCH') draft.offset += (body as Blob).size;
    if (draft.offset === draft.length) files.add(draft.key);
    return {
      status: 200,
      headers: { 'Upload-Offset': `${draft.offset}`, 'Upload-Length': `${draft.length}` },
    };
  }

  function begin(header: BucketRequest['header']): Answer {
    const pairs = header('Upload-Metadata')!.split(',');
    const metadata = Object.fromEntries(pairs.map((pair) => pair.split(' ') as [string, string]));
    const [key, overwrite] = [atob(metadata['key']!), atob(metadata['overwrite']!) === 'true'];
    const id = `draft${drafts.size}`;
    drafts.set(id, { key, overwrite, length: Number(header('Upload-Length')), offset: 0 });
    return { status: 201, headers: { Location: `${location.origin}/data-bucket/b/tus/${id}` } };
  }

  globalThis.fetch = async (input, init = {}) => {
    const { method = 'GET', body, signal } = init;
    const header = (name: string) => new Headers(init.headers).get(name) ?? undefined;
    const { url } = new Request(input);
    const request = { method, ...placeOf(url), header, body, signal: signal ?? undefined };
    const { status, headers, body: response } = await answer(request);
    return new Response(response && JSON.stringify(response), { status, ...(headers && { headers }) });
  };
  defaultOptions.httpStack = {
    createRequest: (method, url) => requestOf(method, url, answer),
    getName: () => 'network',
  };
  return bucket;
}

const nothing = (): Answer => ({
  status: 200,
  body: { items: [], limit: 1, page: 0, totalCount: 0, totalPages: 0 },
});

function placeOf(address: string) {
  const { pathname, searchParams: query } = new URL(address, location.origin);
  return { place: pathname.split('/data-bucket/b/')[1] ?? '', query };
}

/** A request as the tus library makes it. */
function requestOf(
  method: string,
  url: string,
  answer: (request: BucketRequest) => Promise<Answer>,
): HttpRequest {
  const headers = new Map<string, string>();
  const stop = new AbortController();
  const header = (name: string) => headers.get(name);
  return {
    getMethod: () => method,
    getURL: () => url,
    setHeader: (name, value) => void headers.set(name, value),
    getHeader: header,
    setProgressHandler: () => {},
    async send(body: unknown) {
      const response = await answer({ method, ...placeOf(url), header, body, signal: stop.signal });
      return responseOf(response);
    },
    abort: async () => stop.abort(),
    getUnderlyingObject: () => undefined,
  };
}

const responseOf = ({ status, headers = {}, body }: Answer): HttpResponse => ({
  getStatus: () => status,
  getHeader: (name) => headers[name],
  getBody: () => (body ? JSON.stringify(body) : ''),
  getUnderlyingObject: () => undefined,
});
