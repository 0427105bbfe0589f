import type { ScreenProps } from '../screen.ts';
import { Tabs } from '../parts/tabs.tsx';
import { TEXTS } from '../texts.ts';
import { Deliveries } from './deliveries.tsx';
import { DeliveryPage } from './delivery.tsx';
import { ServicePage } from './service.tsx';
import { Services } from './services.tsx';

const TABS = [
  { name: 'services', title: TEXTS.webhooks.services },
  { name: 'deliveries', title: TEXTS.webhooks.deliveries },
];

/** Who is told of what happens, and what became of telling them. */
export function WebhooksScreen({ place: [part = 'services', id] }: ScreenProps) {
  const isDeliveries = part === 'deliveries';
  return (
    <div class="page">
      <Tabs label={TEXTS.screens.webhooks} screen="webhooks" tabs={TABS} current={part} />
      {isDeliveries && id === undefined ? <Deliveries /> : null}
      {isDeliveries && id !== undefined ? <DeliveryPage key={id} id={id} /> : null}
      {!isDeliveries && id === undefined ? <Services /> : null}
      {!isDeliveries && id !== undefined ? <ServicePage key={id} id={id} /> : null}
    </div>
  );
}
