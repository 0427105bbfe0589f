/**
 * A record as events show it: as the API answers it, but for what would let a receiver speak as
 * somebody else. Of a service its secret and the credentials in its url are left out (spec 7.6).
 */
export function toEventSnapshot(resource: string, record: Record<string, unknown>): Record<string, unknown> {
  if (resource !== 'service') return record;
  const { url, secret, ...params } = (record['params'] ?? {}) as Record<string, unknown>;
  return {
    ...record,
    params: { ...(typeof url === 'string' ? { url: withoutCredentials(url) } : {}), ...params },
  };
}

function withoutCredentials(text: string): string {
  if (!URL.canParse(text)) return '';
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}
