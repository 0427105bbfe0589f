/** What event types are called, and so the events that they are for (spec 4.3). */
export const BUSINESS_EVENT_NAME = {
  pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$',
  words: 'words of letters, digits, "_" and "-" joined by dots, as in order.created',
  max: 256,
} as const;

const PATTERN = new RegExp(BUSINESS_EVENT_NAME.pattern);

/** Whether an event type could be called so. */
export function isBusinessEventName(name: string): boolean {
  return name.length <= BUSINESS_EVENT_NAME.max && PATTERN.test(name);
}
