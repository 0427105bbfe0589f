import type { Change } from '../domain/conversations/change.ts';
import type { Tracer } from '../platform/tracing/tracer.ts';
import type { Activities } from './index.ts';

/** Activities whose commits are spans of the traces of all the posts that are stored by them. */
export function tracedActivities(tracer: Tracer | undefined, activities: Activities): Activities {
  if (!tracer) return activities;
  return {
    ...activities,
    persist(input) {
      const facts = { 'parlance.conversation': input.base.id, 'parlance.changes': input.changes.length };
      const from = { kind: 'internal', parents: collectTraces(input.changes), facts } as const;
      return tracer.during('commit', from, () => activities.persist(input));
    },
  };
}

function collectTraces(changes: Change[]): string[] {
  const traces = changes.flatMap((change) => ('caller' in change ? (change.caller.trace ?? []) : []));
  return [...new Set(traces)];
}
