const FORM = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** A place in a trace, as W3C Trace Context has it. */
export interface TraceContext {
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

export function writeTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}
