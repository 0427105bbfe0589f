import { TEXTS } from './texts.ts';

/** A refusal of the API, in its own words. */
export class ApiError extends Error {
  /** 0 without a response. */
  readonly status: number;
  /** From the API's closed list. */
  readonly code: string;
  readonly details: readonly { path: string; message: string }[];

  constructor(status: number, body: Partial<Pick<ApiError, 'message' | 'code' | 'details'>>) {
    super(body.message ?? TEXTS.errors.unreachable);
    this.status = status;
    this.code = body.code ?? '';
    this.details = body.details ?? [];
  }
}
