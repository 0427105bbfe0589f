import type { Catalog } from './catalog.ts';
import type { Environment } from './environment.ts';

export interface Storage {
  environment: Environment;
  catalog: Catalog;
}
