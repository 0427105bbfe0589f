import { startReceiver } from './receiver.ts';
import type { Receiver } from './receiver.ts';

/** The token endpoint of a mail provider (RFC 6749). */
export class TokenServer {
  /** Fields of the requests so far. */
  readonly requests: Record<string, string>[] = [];
  readonly client = { clientId: 'parlance', clientSecret: 'client secret' };
  refreshToken = 'refresh 1';
  /** Each response has a new refresh token, and the former one is refused. */
  isRotating = false;
  /** A status in place of a response, such as 503. */
  outage: number | undefined;
  readonly #tokens: Set<string>;
  #receiver: Receiver | undefined;

  /** `tokens`: the mail server takes the access tokens in this set. */
  constructor(tokens: Set<string>) {
    this.#tokens = tokens;
  }

  async start(): Promise<this> {
    this.#receiver = await startReceiver();
    this.#receiver.behave((response, { body }) => {
      const [status, json] = this.#answer(Object.fromEntries(new URLSearchParams(body)));
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    });
    return this;
  }

  get url(): string {
    return this.#receiver?.url ?? '';
  }

  async close(): Promise<void> {
    await this.#receiver?.close();
  }

  #answer(fields: Record<string, string>): [number, object] {
    this.requests.push(fields);
    if (this.outage !== undefined) return [this.outage, {}];
    const { grant_type: grant, client_id: id, client_secret: secret, refresh_token: given } = fields;
    if (id !== this.client.clientId || secret !== this.client.clientSecret) {
      return [401, { error: 'invalid_client' }];
    }
    if (grant === 'refresh_token' && given !== this.refreshToken) {
      return [400, { error: 'invalid_grant', error_description: 'The token was revoked.' }];
    }
    const token = `access ${this.requests.length}`;
    this.#tokens.add(token);
    if (this.isRotating) this.refreshToken = `refresh ${this.requests.length + 1}`;
    const next = this.isRotating ? { refresh_token: this.refreshToken } : {};
    return [200, { access_token: token, token_type: 'Bearer', expires_in: 3600, ...next }];
  }
}
