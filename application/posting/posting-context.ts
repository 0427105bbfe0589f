import type { Principal } from '../auth/principal.ts';
import type { ProductConfig } from '../../platform/config/product.ts';
import type { Conversations } from '../../workflows/client/conversations.ts';
import type { IdGenerator } from './id-generator.ts';

/** Who asks for something to be posted, when, and how what is new shall be named. */
export interface PostingContext {
  principal: Principal;
  ids: IdGenerator;
  /** ISO 8601 UTC. */
  receivedAt: string;
}

/** All that posting uses of its process. */
export interface PostingDeps {
  config: Pick<ProductConfig, 'serviceProviders' | 'touchpointCodes' | 'publicUrl' | 'deliveryShards'>;
  conversations: Conversations;
}
