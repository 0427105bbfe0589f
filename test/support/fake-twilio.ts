import { createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { eventually } from './eventually.ts';
import { createTwilioCheck } from './twilio-openapi.ts';

/** A message that the fake has taken, as Twilio's API shows it. */
export interface TakenMessage {
  sid: string;
  to: string;
  from: string | null;
  body: string;
  media: string[];
  status: string;
  callback: string;
  fields: Record<string, unknown>;
}

/** A step for the next request for a message. */
export interface Behaviour {
  status?: number;
  code?: number;
  message?: string;
  retryAfter?: number;
  /** Twilio takes the message despite the response. */
  take?: boolean;
  /** Closes the connection instead of responding. */
  close?: boolean;
  /** Runs before the response is sent. */
  before?: (message: TakenMessage) => Promise<unknown>;
}

type Fields = Record<string, unknown>;
type Form = Record<string, string | string[] | undefined>;

const HEX = (bytes = 16) => randomBytes(bytes).toString('hex');
const PAGE = { page: 0, page_size: 50, start: 0, end: 0, next_page_uri: null, previous_page_uri: null };

/**
 * A Twilio account with one number and one messaging service. It checks each request against
 * Twilio's OpenAPI document, takes messages, and posts signed webhooks to the addresses that it was
 * given.
 */
export class FakeTwilio {
  readonly accountSid = `AC${HEX()}`;
  readonly messagingServiceSid = `MG${HEX()}`;
  readonly number: string;
  authToken = HEX();
  state = 'active';
  takesMedia = true;
  /** Requests that do not fit the document. */
  readonly violations: string[] = [];
  readonly messages: TakenMessage[] = [];
  /** Requests, as method and path. */
  readonly requests: string[] = [];
  /** Steps by the text of the message. */
  readonly next = new Map<string, Behaviour[]>();
  numberFields: Fields;
  serviceFields: Fields;
  readonly files = new Map<string, Buffer>();
  /** Runs after a message is taken and before the response, in addition to the step of its text. */
  onTaken: ((message: TakenMessage) => Promise<unknown>) | undefined;
  /** A step for all requests, such as an outage. */
  outage: Behaviour | undefined;
  url = '';
  /** Where media are stored, at another origin, as of Twilio. */
  mediaUrl = '';
  /** The authorization of each request for a stored file. */
  readonly mediaAuthorizations: (string | undefined)[] = [];
  readonly #numberSid = `PN${HEX()}`;
  readonly #check = createTwilioCheck();
  readonly #server = createServer((request, response) => {
    void readText(request).then((body) => {
      const { method = '', url = '', headers } = request;
      this.#serve({ method, url, body, authorization: headers.authorization ?? '' }, response);
    });
  });

  readonly #mediaServer = createServer(({ url = '', headers }, response) => {
    this.mediaAuthorizations.push(headers.authorization);
    const bytes = this.files.get(url.slice(1));
    response.writeHead(bytes ? 200 : 404, { 'content-type': 'application/octet-stream' }).end(bytes);
  });

  constructor(number: string) {
    this.number = number;
    this.numberFields = {
      sms_url: 'https://before.example.com/sms?key=1',
      sms_method: 'GET',
      sms_application_sid: null,
    };
    this.serviceFields = {
      inbound_request_url: null,
      inbound_method: 'POST',
      use_inbound_webhook_on_number: true,
    };
  }

  async start(): Promise<this> {
    const listen = async (server: Server) => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    [this.url, this.mediaUrl] = await Promise.all([listen(this.#server), listen(this.#mediaServer)]);
    return this;
  }

  async close(): Promise<void> {
    for (const server of [this.#server, this.#mediaServer]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  /** Returns the params of a service with this account. */
  params(more: object = {}) {
    return {
      accountSid: this.accountSid,
      authToken: this.authToken,
      number: this.number,
      url: this.url,
      ...more,
    };
  }

  taken(to: string): TakenMessage[] {
    return this.messages.filter((message) => message.to === to);
  }

  /**
   * Posts an SMS from a person to the webhook of the number, and returns the response. `base` is
   * the address of another process that serves the public address.
   */
  receive(from: string, fields: Record<string, string>, base?: string): Promise<Response> {
    const url = this.webhook();
    const sid = fields['MessageSid'] ?? `SM${HEX()}`;
    const form = {
      ...{ ToCountry: 'NL', MessageSid: sid, SmsSid: sid, SmsMessageSid: sid, SmsStatus: 'received' },
      ...{ NumMedia: '0', NumSegments: '1', AccountSid: this.accountSid, ApiVersion: '2010-04-01' },
      ...{ From: from, To: this.number, Body: '', ...fields },
    };
    const at = base === undefined ? url : new URL(new URL(url).pathname, base).href;
    return this.post(at, form, { 'x-twilio-signature': this.sign(url, form) });
  }

  /** Posts an SMS as `receive` does, again after status 503, as Twilio does. */
  receivePatiently(from: string, fields: Record<string, string>, base?: string): Promise<Response> {
    const sent = { MessageSid: `SM${HEX()}`, ...fields };
    return eventually(async () => {
      const response = await this.receive(from, sent, base);
      return response.status !== 503 && response;
    });
  }

  /** Reports a status of a message to its callback. */
  report({ callback, sid, to }: TakenMessage, status: string, errorCode?: string): Promise<Response> {
    return this.post(callback, {
      ...{
        MessageSid: sid,
        SmsSid: sid,
        MessageStatus: status,
        SmsStatus: status,
        To: to,
        From: this.number,
      },
      ...{ AccountSid: this.accountSid, ApiVersion: '2010-04-01' },
      ...(errorCode === undefined ? {} : { ErrorCode: errorCode }),
    });
  }

  /** The webhook of the number, without the fragment, which Twilio does not send. */
  webhook(): string {
    return String(this.numberFields['sms_url']).replace(/#.*/, '');
  }

  /** Posts a signed form. `headers` replace the signature. */
  post(url: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
        'x-twilio-signature': this.sign(url, form),
        ...headers,
      },
      body: new URLSearchParams(form),
    });
  }

  /** Signs a form as Twilio documents it. `npm run test:twilio` compares this with Twilio's SDK. */
  sign(url: string, form: Record<string, string>): string {
    const signed = Object.keys(form)
      .sort()
      .reduce((all, name) => all + name + (form[name] ?? ''), url);
    return createHmac('sha1', this.authToken).update(signed).digest('base64');
  }

  #serve(
    {
      method,
      url,
      body,
      authorization,
    }: { method: string; url: string; body: string; authorization: string },
    response: ServerResponse,
  ): void {
    const { pathname, searchParams } = new URL(url, this.url);
    this.requests.push(`${method} ${pathname}`);
    const respond = (status: number, content: Fields, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(content));
    if (this.outage?.close) return void response.destroy();
    if (this.outage?.status !== undefined) return void respond(this.outage.status, { ...this.outage });
    const expected = `Basic ${Buffer.from(`${this.accountSid}:${this.authToken}`).toString('base64')}`;
    if (authorization !== expected) {
      return void respond(401, { code: 20003, message: 'Authenticate', status: 401, more_info: '' });
    }
    if (pathname.includes('/Media/')) {
      return void response
        .writeHead(307, { location: `${this.mediaUrl}/${pathname.split('/').at(-1)}` })
        .end();
    }
    const form = readForm(body);
    const problem = this.#check.request({
      method,
      pathname,
      query: searchParams,
      form: method === 'POST' ? form : null,
    });
    if (problem) this.violations.push(`${method} ${pathname}: ${problem}`);
    const sids = [this.messagingServiceSid, this.#numberSid, this.accountSid];
    const steps = pathname.split('/').slice(-2);
    const route = `${method} ${steps.map((step) => sids.reduce((a, sid) => a.replace(sid, ':sid'), step)).join('/')}`;
    if (route === 'POST :sid/Messages.json') return void this.#take(form, response);
    const content = this.#read(route, { searchParams, form });
    if (content) this.#check.response({ method, pathname, status: 200, content }, this.violations);
    respond(
      content ? 200 : 404,
      content ?? { code: 20404, message: 'Not found', status: 404, more_info: '' },
    );
  }

  #read(route: string, { searchParams, form }: { searchParams: URLSearchParams; form: Form }): Fields | null {
    switch (route) {
      case 'GET Accounts/:sid.json':
        return { sid: this.accountSid, friendly_name: 'Example Ltd', status: this.state, type: 'Full' };
      case 'GET :sid/IncomingPhoneNumbers.json': {
        const isOwn = searchParams.get('PhoneNumber') === this.number;
        return { ...PAGE, incoming_phone_numbers: isOwn ? [this.#showNumber()] : [] };
      }
      case 'POST IncomingPhoneNumbers/:sid.json':
        Object.assign(this.numberFields, toSnakeCase(form));
        return this.#showNumber();
      case 'POST Services/:sid':
        Object.assign(this.serviceFields, toSnakeCase(form));
        return this.#showService();
      case 'GET Services/:sid':
        return this.#showService();
      case 'GET :sid/Messages.json': {
        const found = this.taken(searchParams.get('To') ?? '').map(({ fields }) => fields);
        return { ...PAGE, messages: found.reverse() };
      }
      default:
        return null;
    }
  }

  #showNumber(): Fields {
    const capabilities = { sms: true, mms: this.takesMedia, voice: true };
    const names = { friendly_name: 'Support', phone_number: this.number };
    return {
      sid: this.#numberSid,
      account_sid: this.accountSid,
      ...names,
      capabilities,
      ...this.numberFields,
    };
  }

  #showService(): Fields {
    const names = {
      sid: this.messagingServiceSid,
      account_sid: this.accountSid,
      friendly_name: 'Support pool',
    };
    return { ...names, ...this.serviceFields };
  }

  async #take(form: Form, response: ServerResponse): Promise<void> {
    const text = [form['Body'] ?? ''].join('');
    const step = this.next.get(text)?.shift() ?? {};
    const message = this.#newMessage(form);
    const isTaken = step.take ?? (step.status === undefined && !step.close);
    if (isTaken) this.messages.push(message);
    await step.before?.(message);
    if (isTaken) await this.onTaken?.(message);
    if (step.close) return void response.destroy();
    const { status = 201, code, message: words = 'Refused.', retryAfter } = step;
    const path = { method: 'POST', pathname: `/2010-04-01/Accounts/${this.accountSid}/Messages.json` };
    if (status === 201) this.#check.response({ ...path, status, content: message.fields }, this.violations);
    const content = status === 201 ? message.fields : { code, message: words, status, more_info: '' };
    const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(content));
  }

  #newMessage(form: Form): TakenMessage {
    const media = [form['MediaUrl'] ?? []].flat();
    const sid = `${media.length > 0 ? 'MM' : 'SM'}${HEX()}`;
    const from = form['From'] === undefined ? null : [form['From']].join('');
    const [to, body] = [[form['To']].join(''), [form['Body'] ?? ''].join('')];
    const fields = {
      ...{ sid, account_sid: this.accountSid, to, from, body, status: 'queued', direction: 'outbound-api' },
      ...{ num_segments: '1', num_media: String(media.length), date_created: new Date().toUTCString() },
      ...{ date_sent: null, error_code: null, error_message: null, price: null, price_unit: 'USD' },
    };
    return {
      sid,
      to,
      from,
      body,
      media,
      status: 'queued',
      callback: [form['StatusCallback']].join(''),
      fields,
    };
  }
}

/** Repeated fields become arrays. */
function readForm(body: string): Form {
  const form = new URLSearchParams(body);
  return Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const all = form.getAll(name);
      return [name, all.length > 1 || name === 'MediaUrl' ? all : all[0]];
    }),
  );
}

function toSnakeCase(form: Form): Fields {
  const entries = Object.entries(form).map(([name, value]) => [
    name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase(),
    value === 'true' || value === 'false' ? value === 'true' : value,
  ]);
  return Object.fromEntries(entries) as Fields;
}
