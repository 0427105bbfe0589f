import { Readable } from 'node:stream';
import Type from 'typebox';
import { createKeyedOrder, recordKeys } from '../../../domain/batch-order.ts';
import { DomainError, unavailable } from '../../../domain/errors.ts';
import type { TenantPath } from '../../../domain/limits/fair-share.ts';
import { FairScheduler } from '../../../platform/concurrency/fair-scheduler.ts';
import { bodyCheck } from '../../../schema/check.ts';
import { parseJson } from '../../../schema/json.ts';
import { about, object } from '../../../schema/kinds.ts';
import { loadCallerPath } from '../../listing/line.ts';
import { LINES_TYPE } from '../../pipeline/body.ts';
import { serializeError } from '../../pipeline/run-line.ts';
import type { Api, ApiRequest, HandlerResult, RunLine, SerializedResponse } from '../../request.ts';

const MAX_LINES = 10_000;
/** As of a single request. */
const MAX_LINE_BYTES = 1024 * 1024;
/** Started lines of a batch whose results are not sent yet. */
const MAX_AHEAD = 64;

const lineSchema = object('BatchLine', 'One request of a batch.', {
  method: about(
    Type.Optional(Type.Enum(['POST', 'PUT', 'PATCH', 'DELETE'])),
    'The method. Default POST.',
    'POST',
  ),
  path: about(
    Type.String({ minLength: 1, maxLength: 500 }),
    'The path below /v2, without a query.',
    '/contacts',
  ),
  body: Type.Optional(about(Type.Unknown(), 'The body of the request.', { profile: { name: 'Ada' } })),
  ifMatch: Type.Optional(about(Type.String({ maxLength: 500 }), 'The header `If-Match`.', '*')),
});

/** Newline-delimited, in the API description as one line. */
export const batchInput = lineSchema;
export const batchAnswer = object('BatchResult', 'The response to one line of a batch.', {
  status: about(Type.Integer(), 'The status.', 201),
  headers: about(Type.Record(Type.String(), Type.String()), 'The headers.', { Location: '/v2/contacts/…' }),
  body: Type.Optional(about(Type.Unknown(), 'The body of the response.', { id: '0123456789abcdef01234567' })),
});

const checkLine = bodyCheck(lineSchema, 'whole');

/** Bound memory: a batch has up to 8 MiB, and is held until its end (spec 2.11). */
export const createBatchQueue = () =>
  new FairScheduler({ max: 16, maxEach: 2, maxWaiting: 0, refusal: tooManyBatches });

/** Lines share the capacity of a process with its other requests. */
export const createBatchLineQueue = () => new FairScheduler({ max: 16, maxEach: 8 });

function tooManyBatches(): DomainError {
  return new DomainError('rate_limited', 'At most two batches of a caller run at the same time.', {
    retryAfterSeconds: 5,
  });
}

/** POST /batch: responds with one result per line, in the order of the lines (spec 2.11). */
export async function runBatch(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { principal, body, runLine } = request;
  if (!runLine) throw new Error('A batch needs lines.');
  const lines = splitLines(body as string);
  const path = await loadCallerPath(principal);
  const leave = await api.admissionQueues.batches.enter(path);
  const results = runLines(lines, { runLine, path, api });
  const stream = Readable.from(results).once('close', () => leave());
  return { status: 200, headers: { 'Content-Type': LINES_TYPE }, body: stream };
}

function splitLines(text: string): string[] {
  const lines = text.split('\n');
  const last = lines.pop()?.trim() ?? '';
  if (last !== '') lines.push(last);
  if (lines.length <= MAX_LINES) return lines;
  throw new DomainError(
    'too_large',
    `A batch has at most ${MAX_LINES} lines; this one has ${lines.length}. Send several batches.`,
  );
}

interface BatchRun {
  runLine: RunLine;
  path: TenantPath;
  api: Pick<Api, 'admissionQueues' | 'ending'>;
}

async function* runLines(lines: readonly string[], run: BatchRun): AsyncGenerator<string> {
  const inOrder = createKeyedOrder();
  const ahead: Promise<SerializedResponse>[] = [];
  for (const [at, line] of lines.entries()) {
    ahead.push(startLine({ text: line, number: at + 1 }, run, inOrder));
    const first = ahead.length >= MAX_AHEAD ? ahead.shift() : undefined;
    if (first) yield formatResult(await first);
  }
  for (const result of ahead) yield formatResult(await result);
}

/** Never rejects. */
async function startLine(
  { text, number }: { text: string; number: number },
  { runLine, path, api }: BatchRun,
  inOrder: ReturnType<typeof createKeyedOrder>,
): Promise<SerializedResponse> {
  try {
    if (Buffer.byteLength(text) > MAX_LINE_BYTES)
      throw new DomainError('too_large', 'A line must not exceed 1 MiB.');
    const { method = 'POST', path: to, body, ifMatch = '' } = checkLine(parseJson(text)) as ParsedLine;
    return await inOrder(recordKeys(to, body), () =>
      api.admissionQueues.batchLines.run(path, async () => {
        if (api.ending.aborted) throw unavailable();
        return runLine({ number, method, path: to, body, ifMatch });
      }),
    );
  } catch (error) {
    return serializeError(error);
  }
}

interface ParsedLine {
  method?: string;
  path: string;
  body?: unknown;
  ifMatch?: string;
}

/** The body is JSON text already. */
function formatResult({ status, headers, body }: SerializedResponse): string {
  const { 'Content-Type': _, ...shown } = headers;
  const ending = typeof body === 'string' ? `,"body":${body}` : '';
  return `{"status":${status},"headers":${JSON.stringify(shown)}${ending}}\n`;
}
