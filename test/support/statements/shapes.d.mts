export function linesOf(command: Record<string, unknown>): string[];
