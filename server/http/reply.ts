/** A reply that needs more than a body: headers, or another status than the endpoint's own. */
export class HttpReply<Body = unknown> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number | undefined;

  constructor(body: Body, headers: Readonly<Record<string, string>> = {}, status?: number) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}
