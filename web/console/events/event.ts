import type { ChatMessage } from '../../components/types.ts';

/** Business events and event types as the console displays them (spec 8). */

export interface EventType {
  id: string;
  name: string;
  description?: string;
  jsonata?: string;
}

export interface BusinessEvent {
  id: string;
  name: string;
  status: string;
  eventtype?: string;
  conversations: string[];
  messages: string[];
  body?: unknown;
  error?: { message: string; details?: { path: string; message: string }[] };
  createdAt: string;
  processedAt?: string;
}

export interface Preview {
  status: 'processed' | 'ignored';
  results: {
    created: boolean;
    conversation?: string;
    contact?: { profile: Record<string, unknown> };
    messages: (ChatMessage & { isBackchannel?: boolean; delay?: number })[];
  }[];
}

/** Reads the position from the API's error message. */
export function parseErrorPosition(words: string): { line: number; column: number } | undefined {
  const found = /line (\d+), column (\d+)/.exec(words);
  return found ? { line: Number(found[1]), column: Number(found[2]) } : undefined;
}
