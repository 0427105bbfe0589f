import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startApi } from '../support/shared-servers.ts';
import type { OwnProduct } from '../support/product.ts';

describe('the probes and the API description', () => {
  let product: OwnProduct;

  beforeAll(async () => {
    product = await startApi('probes', { WORKER_PORT: '0', DEADLINE_FACTOR: '1' });
  });
  afterAll(() => product.close());

  const fetched = async (path: string) => {
    const response = await fetch(`${product.origin}${path}`);
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    };
  };

  test('the probes report a live process with all dependencies ready', async () => {
    expect((await fetched('/healthz')).status).toBe(200);
    const ready = await eventually(async () => {
      const found = await fetched('/readyz');
      return found.status === 200 && found;
    });
    expect(JSON.parse(ready.text)).toMatchObject({
      status: 'ok',
      checks: { mongodb: { ok: true }, temporal: { ok: true }, worker: { ok: true } },
    });
  });

  test('the metrics count requests by route pattern, refusals by code, and open requests', async () => {
    await product.admin.get('/users/ffffffffffffffffffffffff');
    const { text } = await fetched('/metrics');
    expect(text).toContain(
      'parlance_http_request_duration_seconds_count{method="GET",route="/users/:id",status="404"} 1',
    );
    expect(text).toContain('parlance_http_refusals_total{code="not_found"} 1');
    expect(text).toContain('parlance_http_requests_under_way 1');
    expect(text).not.toContain('ffffffffffffffffffffffff');
    expect(text).toMatch(/^parlance_event_runs_total\{outcome="failed"\} \d+$/m);
  });

  test('the probes and pages reject methods other than GET and HEAD', async () => {
    for (const path of ['/healthz', '/metrics', '/docs']) {
      const response = await fetch(`${product.origin}${path}`, { method: 'POST' });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });

  test('the API description is in OpenAPI 3.1, and its page loads only files of the same origin', async () => {
    const document = JSON.parse((await fetched('/openapi.json')).text);
    expect(document.openapi).toMatch(/^3\.1/);
    expect(document.paths['/conversations/{id}/messages'].post.requestBody.required).toBe(true);
    const page = await fetched('/docs');
    expect(page.type).toContain('text/html');
    const loaded = [...page.text.matchAll(/(?:src|href|data-program)="([^"#]+)"/g)].map(
      ([, url = '']) => url,
    );
    expect(loaded.length).toBeGreaterThan(2);
    for (const url of loaded) {
      expect(url).toMatch(/^\//);
      expect((await fetched(url)).status).toBe(200);
    }
  });

  test('a worker with WORKER_PORT also serves the probes', async () => {
    const asked = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${product.environment['WORKER_PORT']}${path}`);
      return [response.status, await response.text()] as const;
    };
    const ready = await eventually(async () => {
      const [status, text] = await asked('/readyz');
      return status === 200 && text;
    });
    expect(await asked('/healthz')).toEqual([200, '{"status":"ok"}']);
    expect(JSON.parse(ready)).toEqual({
      status: 'ok',
      checks: { mongodb: { ok: true }, temporal: { ok: true }, worker: { ok: true } },
    });
    expect(await asked('/metrics')).toEqual([200, expect.stringContaining('parlance_worker_running 1\n')]);
    expect((await asked('/v2/conversations'))[0]).toBe(404);
  });

  test('the probe /readyz responds 503 without a worker, and /healthz still responds 200', async () => {
    expect(await product.worker.stop()).toBe(0);
    await eventually(async () => !JSON.parse((await fetched('/readyz')).text).checks.worker.ok);
    expect((await fetched('/readyz')).status).toBe(503);
    expect((await fetched('/healthz')).status).toBe(200);
  });
});
