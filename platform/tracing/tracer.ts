import type * as Api from '@opentelemetry/api';
import type { TracingConfig } from '../config/tracing.ts';

type SpanFacts = Record<string, string | number | boolean | undefined>;

/** What is under way. */
export interface OpenSpan {
  /**
   * Its place in its trace, for what follows from it; absent: this trace is not recorded, and
   * nothing need follow.
   */
  traceparent?: string;
  /** `name` where it is known only now. */
  end: (how?: { name?: string; failed?: boolean; facts?: SpanFacts }) => void;
}

/** What a span is: a request that we answer, one that we make, or work within this process. */
export type SpanKind = 'server' | 'client' | 'internal';

interface SpanStart {
  kind: SpanKind;
  facts?: SpanFacts;
}

export interface Tracer {
  /** Begins a span behind the one at `parent`, a traceparent; without, the first of a new trace. */
  begin: (name: string, from: SpanStart & { parent?: string | undefined }) => OpenSpan;
  /**
   * Does work within a span behind each of `parents`, which are told in that order. They have
   * failed unless the work succeeds.
   */
  during: <T>(
    name: string,
    from: SpanStart & { parents: readonly string[] },
    work: (spans: readonly OpenSpan[]) => Promise<T>,
  ) => Promise<T>;
  /** Sends what is not sent yet. Never rejects. */
  close: () => Promise<void>;
}

export interface TracerOptions {
  config: TracingConfig;
  service: 'parlance-api' | 'parlance-worker';
  version: string;
  log: { warn: (facts: object, message: string) => void };
}

/**
 * A tracer that sends spans to the collector by OTLP over HTTP, in batches, behind what it traces;
 * undefined where none is configured, and then nothing of OpenTelemetry is even loaded. A collector
 * that does not answer is told to the log, and the spans are lost.
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
    ...(span.isRecording() ? { traceparent } : {}),
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

/** A place in a trace, as W3C Trace Context has it. */
interface TraceContext {
  traceId: string;
  spanId: string;
  sampled: boolean;
}

/** Reads a `traceparent`; undefined where it is none of the version that we know. */
export function readTraceparent(text: string | undefined): TraceContext | undefined {
  const [, traceId, spanId, flags] = FORM.exec(text ?? '') ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

function writeTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}
