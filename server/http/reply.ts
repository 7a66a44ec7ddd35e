/** A reply with headers, or with another status than the default of the endpoint. */
export class HttpReply<Body = unknown> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly status: number | undefined;

  constructor(body: Body, headers: Readonly<Record<string, string | string[]>> = {}, status?: number) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}
