import type { Change } from '../domain/change.ts';
import type { Tracer } from '../tracing/tracer.ts';
import type { Activities } from './index.ts';

/** Activities whose commits are spans of the traces of all the posts that are stored by them. */
export function tracedActivities(tracer: Tracer | undefined, activities: Activities): Activities {
  if (!tracer) return activities;
  return {
    ...activities,
    async persist(input) {
      const facts = { 'parlance.conversation': input.base.id, 'parlance.changes': input.changes.length };
      const spans = tracesOf(input.changes).map((parent) =>
        tracer.begin('commit', { kind: 'internal', parent, facts }),
      );
      let failed = true;
      try {
        const result = await activities.persist(input);
        failed = false;
        return result;
      } finally {
        for (const span of spans) span.end({ failed });
      }
    },
  };
}

function tracesOf(changes: Change[]): string[] {
  const traces = changes.flatMap((change) => ('caller' in change ? (change.caller.trace ?? []) : []));
  return [...new Set(traces)];
}
