export type RequestLanguage = 'curl' | 'python' | 'typescript';
export const LANGUAGES: readonly { name: RequestLanguage; title: string; fence: string }[];
export function findRequests(markdown: string): string[];
export function renderRequests(blocks: readonly string[]): Record<RequestLanguage, string>[];
