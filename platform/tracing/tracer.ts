import type * as Api from '@opentelemetry/api';
import type { TracingConfig } from '../config/processes.ts';

type SpanFacts = Record<string, string | number | boolean | undefined>;

export interface OpenSpan {
  /** Parent of child spans. Absent if the trace is not sampled. */
  traceparent?: string | undefined;
  end: (how?: { name?: string; failed?: boolean; facts?: SpanFacts }) => void;
}

export type SpanKind = 'server' | 'client' | 'internal';

interface SpanStart {
  kind: SpanKind;
  facts?: SpanFacts;
}

export interface Tracer {
  /** Starts a child of the traceparent `parent`, or a new trace. */
  begin: (name: string, from: SpanStart & { parent?: string }) => OpenSpan;
  /** Runs `work` in one span per parent, in order. The spans fail if `work` rejects. */
  during: <T>(
    name: string,
    from: SpanStart & { parents: readonly string[] },
    work: (spans: readonly OpenSpan[]) => Promise<T>,
  ) => Promise<T>;
  /** Flushes all spans. Never rejects. */
  close: () => Promise<void>;
}

export interface TracerOptions {
  config: TracingConfig;
  service: 'parlance-api' | 'parlance-worker';
  version: string;
  log: { warn: (facts: object, message: string) => void };
}

/**
 * Creates a tracer that exports spans by OTLP over HTTP. Returns undefined if tracing is off,
 * without loading OpenTelemetry. If the collector fails, logs a warning and drops the spans.
 */
export async function createTracer({ config, ...options }: TracerOptions): Promise<Tracer | undefined> {
  const { endpoint, ratio } = config;
  if (endpoint === undefined) return undefined;
  const [api, provider] = await Promise.all([
    import('@opentelemetry/api'),
    createProvider({ endpoint, ratio }, options),
  ]);
  logProblems(api, options.log);
  const tracer = provider.getTracer('parlance', options.version);
  const kinds = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT, internal: api.SpanKind.INTERNAL };
  const begin: Tracer['begin'] = (name, { kind, parent, facts = {} }) => {
    const place = readTraceparent(parent);
    const before = place
      ? api.trace.setSpanContext(api.ROOT_CONTEXT, {
          ...place,
          traceFlags: place.sampled ? 1 : 0,
          isRemote: true,
        })
      : api.ROOT_CONTEXT;
    return openSpan(api, tracer.startSpan(name, { kind: kinds[kind], attributes: facts }, before));
  };
  return { begin, during: duringSpans(begin), close: () => provider.shutdown().catch(() => undefined) };
}

function openSpan(api: typeof Api, span: Api.Span): OpenSpan {
  const traceparent = writeTraceparent({ ...span.spanContext(), sampled: true });
  return {
    traceparent: span.isRecording() ? traceparent : undefined,
    end({ name, failed = false, facts = {} } = {}) {
      if (name !== undefined) span.updateName(name);
      span.setAttributes(facts);
      if (failed) span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function duringSpans(begin: Tracer['begin']): Tracer['during'] {
  return async (name, { parents, ...from }, work) => {
    const spans = parents.map((parent) => begin(name, { ...from, parent }));
    let failed = true;
    try {
      const result = await work(spans);
      failed = false;
      return result;
    } finally {
      for (const span of spans) span.end({ failed });
    }
  };
}

async function createProvider(
  { endpoint, ratio }: { endpoint: string; ratio: number },
  { service, version }: Pick<TracerOptions, 'service' | 'version'>,
) {
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  return new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
}

function logProblems({ diag, DiagLogLevel }: typeof Api, log: TracerOptions['log']): void {
  const logWarning = (message: string, ...more: unknown[]) => log.warn({ more: more.map(String) }, message);
  const quiet = () => undefined;
  diag.setLogger(
    { error: logWarning, warn: logWarning, info: quiet, debug: quiet, verbose: quiet },
    DiagLogLevel.WARN,
  );
}

const FORM = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

interface TraceContext {
  traceId: string;
  spanId: string;
  sampled: boolean;
}

/** Returns undefined if the `traceparent` is invalid or of another version. */
export function readTraceparent(text: string | undefined): TraceContext | undefined {
  const [, traceId, spanId, flags] = FORM.exec(text ?? '') ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

function writeTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}
