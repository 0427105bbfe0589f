export function describeCommand(command: Record<string, unknown>): string[];
