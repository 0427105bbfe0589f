import { setTimeout as wait } from 'node:timers/promises';
import { client } from '../support/client.ts';
import type { ApiResponse, ApiClient } from '../support/client.ts';
import type { Journal } from './journal.ts';
import type { Random } from './random.ts';

export interface Request {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A client that alternates between both API processes and checks every response. */
export interface Caller {
  /**
   * Sends the request once, to the process `api` or, by default, to the processes in turn. Returns
   * undefined without a response. Records an invalid response as a violation.
   */
  ask: (request: Request, api?: 0 | 1) => Promise<ApiResponse<any> | undefined>;
  /**
   * Repeats the request, by default at alternating processes, until the response has a status other
   * than 500 and 503. Rejects with `NoAnswer` after `withinMs`, or after two minutes without
   * faults.
   */
  insist: (request: Request, options?: { api?: 0 | 1; withinMs?: number }) => Promise<ApiResponse<any>>;
}

/**
 * The time at which the last fault ended; undefined during faults. Clients stop waiting two minutes
 * later.
 */
export interface Calm {
  since: number | undefined;
}

/** The error of `insist` if no response other than 500 and 503 arrived in time. */
export class NoAnswer extends Error {}

const TIMEOUT_MS = 120_000;
/** The journal records waits that are longer than this. */
const LONG_WAIT_MS = 20_000;
const ERROR_KEYS = ['code', 'details', 'error', 'message'];

export interface CallerOptions {
  origins: readonly [string, string];
  token: string;
  journal: Journal;
  random: Random;
  calm: Calm;
}

export function createCaller({ origins, token, journal, random, calm }: CallerOptions): Caller {
  const clients = origins.map((origin) => client(`${origin}/v2`, token)) as [ApiClient, ApiClient];
  let turn = random.integer(0, 1);

  async function ask(
    { method, path, body, headers }: Request,
    api?: 0 | 1,
  ): Promise<ApiResponse<any> | undefined> {
    turn = 1 - turn;
    const which = api ?? turn;
    journal.count('requests');
    const startedAt = performance.now();
    try {
      const answer = await clients[which === 0 ? 0 : 1].once.request(method, path, body, headers);
      check(answer, { method, path, body });
      journal.longest('answer', performance.now() - startedAt);
      return answer;
    } catch (error) {
      // The client itself throws only if the API description does not cover a response. Other
      // errors come from the connection.
      if (String(error).includes('does not describe'))
        journal.violated('every answer is described', String(error));
      journal.count('requests without an answer');
      return undefined;
    }
  }

  function check({ status, headers, body }: ApiResponse<any>, request: Request): void {
    journal.count(`answers ${status}`);
    const facts = { ...request, status, answer: body };
    if (status >= 500 && status !== 503) journal.violated('no 5xx but 503', facts);
    if (!headers.get('x-request-id')) journal.violated('every answer has its X-Request-Id', facts);
    if (status >= 400 && !isError(body)) journal.violated('every refusal has the shape of errors', facts);
  }

  const insist: Caller['insist'] = async (request, { api, withinMs = Infinity } = {}) => {
    const startedAt = performance.now();
    for (const attempts: string[] = []; ;) {
      const answer = await ask(request, api);
      attempts.push(`${answer?.status ?? 'none'} at ${((performance.now() - startedAt) / 1000).toFixed(1)}`);
      if (answer && answer.status !== 503 && answer.status !== 500) {
        noteWait(request, performance.now() - startedAt, attempts);
        return answer;
      }
      const until = Math.max(startedAt, calm.since ?? Infinity) + TIMEOUT_MS;
      if (performance.now() > Math.min(until, startedAt + withinMs))
        throw new NoAnswer(
          `${request.method} ${request.path} ${JSON.stringify(answer?.body ?? 'no answer')}`,
        );
      await wait(random.between(30, 300));
    }
  };

  function noteWait({ method, path, headers }: Request, ms: number, attempts: string[]): void {
    journal.longest('wait for an acknowledgement', ms);
    if (ms < LONG_WAIT_MS) return;
    const words = [method, path, ...Object.keys(headers ?? {})].join(' ');
    journal.say(`${words} waited ${(ms / 1000).toFixed(1)} s: ${attempts.join(', ')}`);
  }

  return { ask, insist };
}

function isError(body: any): boolean {
  return (
    typeof body?.message === 'string' &&
    typeof body.code === 'string' &&
    body.error?.message === body.message &&
    Object.keys(body).every((key) => ERROR_KEYS.includes(key))
  );
}
