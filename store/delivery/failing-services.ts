import type { FailingService } from '../../domain/delivery/drain-report.ts';
import { serviceModel } from './services.ts';
import type { ServiceDocument } from './services.ts';

/**
 * Failing services with what an operator knows them by, as it is now; without those that were
 * deleted meanwhile. Of a url its host alone is told.
 */
export async function describeFailing(failing: FailingService[]): Promise<FailingService[]> {
  if (failing.length === 0) return [];
  const found = await serviceModel
    .find(
      { _id: { $in: failing.map(({ service }) => service) } },
      { name: 1, status: 1, failingSince: 1, 'params.url': 1 },
    )
    .lean<ServiceDocument[]>();
  const services = new Map(found.map((service) => [service._id, service]));
  return failing.flatMap((one) => {
    const service = services.get(one.service);
    return service ? [{ ...one, ...toFailingService(service) }] : [];
  });
}

function toFailingService({ name, status, failingSince, params }: ServiceDocument): Partial<FailingService> {
  return {
    name,
    ...(URL.canParse(params.url) ? { host: new URL(params.url).host } : {}),
    ...(failingSince ? { since: failingSince.toISOString() } : {}),
    ...(status === 'disabled' ? { disabled: true } : {}),
  };
}
