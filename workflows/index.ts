export { accountMail } from './account-mail.ts';
export { conversation } from './conversation.ts';
export { delivery } from './delivery.ts';
export { erasure } from './erasure.ts';
export { inboundEvent } from './business-event.ts';
export { mailbox } from './mailbox.ts';
export { retryEvents } from './business-event.ts';
