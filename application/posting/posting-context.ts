import type { Principal } from '../auth/principal.ts';
import type { ProductConfig } from '../../platform/config/product.ts';
import type { Conversations } from '../../workflows/client/conversations.ts';
import type { IdGenerator } from './id-generator.ts';

export interface PostingContext {
  principal: Principal;
  ids: IdGenerator;
  receivedAt: string;
}

export interface PostingDeps {
  config: Pick<ProductConfig, 'serviceProviders' | 'touchpointCodes' | 'publicUrl' | 'deliveryShards'>;
  conversations: Conversations;
}
