import { notFound } from '../../domain/refusal.ts';
import { findAsset } from '../../web/assets.ts';
import type { HandlerResult, OpenRequest } from '../request.ts';

/** GET /viewer/{file}: its name changes with its content, so a browser may keep it for ever. */
export function showAsset({ params }: OpenRequest): Promise<HandlerResult> {
  const asset = findAsset(params['file'] ?? '');
  if (!asset) return Promise.reject(notFound('The file'));
  return Promise.resolve({
    status: 200,
    headers: { 'Content-Type': asset.type, 'Cache-Control': 'public, max-age=31536000, immutable' },
    body: asset.content,
  });
}
