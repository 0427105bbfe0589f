import type { Principal } from '../auth/principal.ts';
import type { ProductConfig } from '../../platform/config/product.ts';
import type { Conversations } from '../../workflows/client/conversations.ts';
import type { IdGenerator } from './id-generator.ts';

/** Caller, time and id generator of a posting request. */
export interface PostingContext {
  principal: Principal;
  ids: IdGenerator;
  /** ISO 8601 UTC. */
  receivedAt: string;
}

/** Dependencies of posting. */
export interface PostingDeps {
  config: Pick<ProductConfig, 'serviceProviders' | 'touchpointCodes' | 'publicUrl' | 'deliveryShards'>;
  conversations: Conversations;
}
