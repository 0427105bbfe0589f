import { isGrpcServiceError } from '@temporalio/client';

/** gRPC's number. */
export const NOT_FOUND = 5;

/** What gRPC's answer was; -1 where the error is no answer of a server. */
export function getGrpcCode(error: unknown): number {
  return isGrpcServiceError(error) ? error.code : -1;
}
