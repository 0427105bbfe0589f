import { assetName, findAsset } from '../../web/assets.ts';
import { notFound } from '../../domain/refusal.ts';
import type { HandlerResult } from '../request.ts';

/** GET /widget.js: what a website loads to have the widget (spec 13.1). Any website may load it. */
export function showWidget(): Promise<HandlerResult> {
  const asset = findAsset(assetName('widget.js'));
  if (!asset) return Promise.reject(notFound('The file'));
  return Promise.resolve({
    status: 200,
    headers: {
      'Content-Type': asset.type,
      'Cache-Control': 'public, max-age=3600',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
    body: asset.content,
  });
}
