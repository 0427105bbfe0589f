import Type from 'typebox';
import { storeFile } from '../../application/files/store-file.ts';
import type { FileOwner as StoredOwner, StoreFileDeps } from '../../application/files/store-file.ts';
import { notFound, DomainError, invalidRequest } from '../../domain/errors.ts';
import { parseId } from '../../domain/id.ts';
import { createAllowances } from '../../domain/limits/allowances.ts';
import type { TenantPath } from '../../domain/limits/fair-share.ts';
import { FairScheduler } from '../../platform/concurrency/fair-scheduler.ts';
import { about, idOf, object, referenceTo, shownAs } from '../../schema/kinds.ts';
import { findConversationRef } from '../../store/conversations/find-conversations.ts';
import { loadCallerPath } from '../listing/line.ts';
import { assertKnownParameters } from '../request.ts';
import type { Api, ApiRequest, HandlerResult, OpenRequest } from '../request.ts';

export const uploadSchema = object('UploadedFile', 'A file of a conversation.', {
  id: idOf('files', 'The id of the file.'),
  url: about(
    Type.String(),
    'The address of the file: the text of the message that sends the file.',
    'https://chat.example.com/f/…',
  ),
  name: about(Type.String(), 'The name of the file.', 'invoice.pdf'),
  type: about(Type.String(), 'The media type, from the bytes.', 'application/pdf'),
  bytes: about(Type.Integer(), 'The size in bytes.', 48_213),
});

export const BINARY = { type: 'string', format: 'binary' } as const;

/** For the documentation. */
export const fileForm = object('FileForm', 'A form with a file.', {
  conversation: Type.Optional(
    referenceTo('conversations', 'The conversation. This field must precede the file.'),
  ),
  file: about(shownAs('binary', Type.String()), 'The file, with its name.', 'The bytes.'),
});

export const uploadQuery = Type.Object({
  conversation: Type.Optional(
    referenceTo(
      'conversations',
      'The conversation of the file. A form may have it as a field before the file.',
    ),
  ),
  name: Type.Optional(about(Type.String(), 'The name of the file.', 'invoice.pdf')),
});

/** POST /files (spec 6.11) */
export async function uploadFile(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const query = new URLSearchParams(request.querystring);
  assertKnownParameters(query.keys(), ['conversation', 'name']);
  const { principal } = request;
  const owner = { createdBy: principal.user, path: await loadCallerPath(principal) };
  return receiveFile(request, api, {
    // A guest's uploads are bounded by the client address too.
    limitedAddress: principal.scope === 'guest' ? request.client.address : undefined,
    name: query.get('name') ?? '',
    async findOwner({ conversation = query.get('conversation') }) {
      if (!conversation) throw invalidRequest('conversation', 'is required');
      const place = await findConversationRef(principal.reach, parseId(conversation, 'conversation'));
      if (!place) throw notFound('The conversation');
      return { ...owner, conversation: place.id, organization: place.organization };
    },
  });
}

export interface FileOwner extends StoredOwner {
  /** Tenant path for fair shares. */
  path: TenantPath;
}

export function storeFileDeps({ files, config, log }: Pick<Api, 'config' | 'files' | 'log'>): StoreFileDeps {
  return { files, log, publicUrl: config.publicUrl, quotaBytes: config.files.quotaBytes };
}

interface Receiving {
  limitedAddress: string | undefined;
  name: string;
  findOwner: (fields: { conversation?: string }) => Promise<FileOwner>;
}

/** Stores the file of a request. After an error, nothing of the file stays. */
export async function receiveFile(
  { openUpload, ids }: Pick<OpenRequest, 'openUpload' | 'ids'>,
  api: Api,
  { limitedAddress, name, findOwner }: Receiving,
): Promise<HandlerResult> {
  const upload = await openUpload?.();
  if (!upload) throw new Error('The route takes no file.');
  try {
    const owner = await findOwner(upload.fields);
    const { path } = owner;
    const branch = [`address ${limitedAddress ?? ''}`, owner.conversation] as const;
    if (limitedAddress !== undefined) assertUploadAllowance(branch, upload.announced ?? 0, api);
    const release = await api.uploads.enter(path);
    try {
      const { announced, chunks } = upload;
      const incoming = { id: ids.newId(), name: name || upload.name, announced, chunks, owner };
      const stored = await storeFile(storeFileDeps(api), incoming);
      if (limitedAddress !== undefined) noteUpload(branch, stored.bytes);
      return { status: 201, headers: { Location: stored.url, ...NO_STORE }, body: stored };
    } finally {
      release();
    }
  } catch (error) {
    upload.discard();
    throw error;
  }
}

/** The body has the file's key. */
const NO_STORE = { 'Cache-Control': 'no-store' };

/** An upload has at most a few chunks in memory, or a part of a bucket's upload (5 MiB). */
const MAX_UPLOADS = { max: 32, maxEach: 6, maxWaitingEach: 20, maxWaiting: 200, maxWaitMs: 10_000 };

export function createUploadScheduler(): FairScheduler {
  return new FairScheduler({
    ...MAX_UPLOADS,
    refusal: () =>
      new DomainError('rate_limited', 'Too many of your uploads are under way.', { retryAfterSeconds: 1 }),
  });
}

/** Bytes per client address and process for contacts and guests. An hour restores half. */
const MAX_BYTES = 256 * 1024 * 1024;
const HOUR_MS = 3_600_000;

const allowances = createAllowances({ max: MAX_BYTES, backPerMs: MAX_BYTES / 2 / HOUR_MS });

type Branch = readonly [address: string, conversation: string];

/** Throws DomainError `rate_limited` while the address has too little left for the conversation. */
export function assertUploadAllowance(
  branch: Branch,
  bytes: number,
  { config }: { config: Pick<Api['config'], 'rateLimits'> },
  now = performance.now(),
): void {
  if (config.rateLimits.perAddress === 0) return;
  const waitMs = allowances.fairWaitMs(branch, bytes, now);
  if (waitMs === 0) return;
  throw new DomainError('rate_limited', 'Too many files were sent from this address lately.', {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  });
}

export function noteUpload(branch: Branch, bytes: number, now = performance.now()): void {
  allowances.use(branch, bytes, now);
}
